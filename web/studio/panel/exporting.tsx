/** The export dialog: for which program or into which file, and what to do with it there. */

import { useState } from "preact/hooks";
import { exportAddress, type FormatWords } from "../api/client.ts";
import { words } from "../state/schema.ts";
import { land, schema } from "../state/store.ts";
import { bytes, duration, figure, say } from "../texts.ts";
import { Modal } from "./modal.tsx";
import { OptionFields } from "./option_fields.tsx";
import { dialog } from "./rooms.ts";
import { chosen, layer, options, type Shipped, ship, shipped, under } from "./shipping.ts";
import { TargetForm } from "./target_form.tsx";

export function Exporting() {
  const close = () => {
    if (dialog.peek() === "export") dialog.value = "";
  };
  return (
    <Modal class="exporting" title={say("export")} open={dialog.value === "export"} close={close}>
      <Form />
    </Modal>
  );
}

function Form() {
  const target = schema.value?.targets.find(({ name }) => name === chosen.value);
  const format = schema.value?.formats.find(({ suffix }) => suffix === chosen.value);
  return (
    <>
      <Choice />
      {target && <TargetForm target={target} />}
      {format && <FileForm format={format} />}
      {chosen.value && <Action />}
      {shipped.value && <Result {...shipped.value} />}
    </>
  );
}

function Choice() {
  return (
    <label class="field">
      <span>{say("exportFor")}</span>
      <select
        value={chosen.value}
        onChange={(e) => {
          chosen.value = e.currentTarget.value;
          options.value = {};
          layer.value = "";
          shipped.value = null;
        }}
      >
        <option value="">{say("exportChoose")}</option>
        <optgroup label={say("exportPrograms")}>
          {schema.value?.targets.map(({ name, program }) => (
            <option key={name} value={name}>
              {program}
            </option>
          ))}
        </optgroup>
        <optgroup label={say("exportFile")}>
          {schema.value?.formats.map(({ suffix }) => (
            <option key={suffix} value={suffix}>
              {suffix}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

function FileForm({ format: { suffix, holds, options: known } }: { format: FormatWords }) {
  const { grown } = land.value;
  const tables = Object.keys(grown?.features ?? {});
  return (
    <>
      {holds && (
        <label class="field">
          <span>{say(holds === "tables" ? "exportTable" : "layer")}</span>
          <select
            value={layer.value}
            onChange={(e) => {
              layer.value = e.currentTarget.value;
            }}
          >
            <option value="">{say("exportUsualLayer")}</option>
            {(holds === "tables" ? tables : (grown?.layers ?? [])).map((name) => (
              <option key={name} value={name}>
                {words(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <OptionFields of={suffix} options={known} />
    </>
  );
}

function Action() {
  const [wrong, setWrong] = useState("");
  const now = under.value;
  return (
    <>
      {now ? (
        <div class="group">
          <label class="going">
            <progress value={now.share || undefined} max={1} />
            <span>{now.left ? say("left", { time: duration(now.left) }) : say("exporting")}</span>
          </label>
          <button type="button" onClick={() => now.stop.abort()}>
            {say("cancel")}
          </button>
        </div>
      ) : (
        <button type="button" class="main" onClick={() => void ship(setWrong)}>
          {say("exportStart")}
        </button>
      )}
      {wrong && (
        <p class="wrongly" role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}

function Result({ export: id, file, bytes: length, numbers = {}, how = [] }: Shipped) {
  return (
    <section class="result" aria-live="polite">
      <p>
        <a class="button" href={exportAddress(id)} download={file}>
          {say("exportReady", { file, size: bytes(length) })}
        </a>
      </p>
      {how.length > 0 && (
        <>
          <h3>{say("exportHow")}</h3>
          <ul class="how">
            {how.map((line) => (
              <li key={line}>
                <label>
                  <input type="checkbox" /> <span>{line}</span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
      {Object.keys(numbers).length > 0 && (
        <>
          <h3>{say("exportNumbers")}</h3>
          <dl class="told">
            {Object.entries(numbers).map(([name, value]) => (
              <div key={name}>
                <dt>{words(name)}</dt>
                <dd>{typeof value === "number" ? figure(value, 6) : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
