/** The export dialog: for which program or into which file, how large, with which options. */

import { signal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import {
  exportAddress,
  type Json,
  type JsonObject,
  type TargetWords,
  work,
} from "../api/client.ts";
import { words } from "../state/schema.ts";
import { finalSize, land, largest, schema, wanted } from "../state/store.ts";
import { bytes, duration, figure, say } from "../texts.ts";
import { fileName, save } from "./handing.ts";
import { Modal } from "./modal.tsx";
import { dialog } from "./rooms.ts";

interface Shipped {
  readonly export: string;
  readonly file: string;
  readonly bytes: number;
  readonly numbers?: Readonly<Record<string, Json>>;
  readonly how?: readonly string[];
}

/** What was chosen; kept while the page is open. */
const chosen = signal("");
const size = signal("");
const tiles = signal<readonly [number, number]>([1, 1]);
const place = signal("");
const layer = signal("");
const options = signal<JsonObject>({});
const under = signal<{ share: number; left: number | null; stop: AbortController } | null>(null);
const shipped = signal<Shipped | null>(null);

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
  return (
    <>
      <Choice />
      {target && <TargetForm target={target} />}
      {chosen.value.startsWith(".") && <FileForm />}
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
          {schema.value?.formats.map((suffix) => (
            <option key={suffix} value={suffix}>
              {suffix}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

function TargetForm({ target }: { target: TargetWords }) {
  return (
    <>
      <label class="field">
        <span>{say("exportSize")}</span>
        <input
          type="number"
          min={1}
          max={largest.value}
          placeholder={String(finalSize.value)}
          value={size.value}
          onInput={(e) => {
            size.value = e.currentTarget.value;
          }}
        />
      </label>
      <p class="hint">{say("exportSizes", { sizes: target.sizes })}</p>
      {target.tiles > 1 && <Tiles most={target.tiles} />}
      {target.placed && (
        <label class="field">
          <span>{say("exportPlace")}</span>
          <input
            type="text"
            inputMode="decimal"
            placeholder="8.55, 47.37"
            value={place.value}
            onInput={(e) => {
              place.value = e.currentTarget.value;
            }}
          />
        </label>
      )}
      {Object.entries(target.options).map(([name, option]) => (
        <Option key={`${target.name}.${name}`} name={name} {...option} />
      ))}
    </>
  );
}

function Tiles({ most }: { most: number }) {
  return (
    <fieldset class="field pair">
      <legend>{say("exportTiles")}</legend>
      {([0, 1] as const).map((which) => (
        <input
          key={which}
          type="number"
          min={1}
          max={most}
          aria-label={say(which === 0 ? "tileRows" : "tileColumns")}
          value={tiles.value[which]}
          onChange={(e) => {
            const count = Math.min(
              Math.max(Math.round(e.currentTarget.valueAsNumber || 1), 1),
              most,
            );
            tiles.value = which === 0 ? [count, tiles.peek()[1]] : [tiles.peek()[0], count];
          }}
        />
      ))}
    </fieldset>
  );
}

type OptionProps = { name: string } & TargetWords["options"][string];

function Option({ name, default: usual, meaning, choices }: OptionProps) {
  const id = useId();
  const value = options.value[name] ?? usual;
  const put = (next: Json) => {
    options.value = { ...options.peek(), [name]: next };
  };
  return (
    <div class="field">
      <label for={id}>
        {words(name)} <small>{meaning}</small>
      </label>
      {choices.length > 0 ? (
        <select
          id={id}
          value={String(value)}
          onChange={({ currentTarget: { value: text } }) =>
            put(choices.find((each) => String(each) === text) ?? usual)
          }
        >
          {choices.map((each) => (
            <option key={String(each)} value={String(each)}>
              {String(each)}
            </option>
          ))}
        </select>
      ) : typeof usual === "boolean" ? (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(e) => put(e.currentTarget.checked)}
        />
      ) : typeof usual === "number" ? (
        <input
          id={id}
          type="number"
          step="any"
          value={String(value)}
          onChange={(e) => put(e.currentTarget.valueAsNumber || 0)}
        />
      ) : (
        <input
          id={id}
          type="text"
          value={String(value)}
          onChange={(e) => put(e.currentTarget.value)}
        />
      )}
    </div>
  );
}

function FileForm() {
  return (
    <label class="field">
      <span>{say("layer")}</span>
      <select
        value={layer.value}
        onChange={(e) => {
          layer.value = e.currentTarget.value;
        }}
      >
        <option value="">{say("exportUsualLayer")}</option>
        {(land.value.grown?.layers ?? []).map((name) => (
          <option key={name} value={name}>
            {words(name)}
          </option>
        ))}
      </select>
    </label>
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

/** Asks the server for the files, and saves them when they are done. */
async function ship(tell: (wrong: string) => void): Promise<void> {
  const recipe = wanted.peek();
  if (!recipe) return;
  tell("");
  shipped.value = null;
  const stop = new AbortController();
  under.value = { share: 0, left: null, stop };
  try {
    const told = ({ share, left }: { share: number; left?: number | null }) => {
      under.value = { share, left: left ?? null, stop };
    };
    const result = (await work(order(recipe), told, stop.signal)) as unknown as Shipped;
    shipped.value = result;
    save(exportAddress(result.export), result.file);
  } catch (error) {
    if (!stop.signal.aborted) tell((error as Error).message);
  }
  under.value = null;
}

/** What the server is asked for. */
function order(recipe: JsonObject): JsonObject {
  const asked: JsonObject = { kind: "export", recipe, name: fileName() };
  if (chosen.peek().startsWith(".")) {
    const named = layer.peek() ? { layer: layer.peek() } : {};
    return { ...asked, size: finalSize.peek(), format: chosen.peek(), ...named };
  }
  const target = schema.peek()?.targets.find(({ name }) => name === chosen.peek());
  const at = target?.placed
    ? place
        .peek()
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number)
    : [];
  return {
    ...asked,
    target: chosen.peek(),
    size: Number(size.peek()) || finalSize.peek(),
    tiles: (target?.tiles ?? 1) > 1 ? [...tiles.peek()] : [1, 1],
    options: options.peek(),
    ...(at.length > 0 ? { at } : {}),
  };
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
