/** Files in and out: a recipe or a heightmap opened, the recipe saved, a land exported. */

import { useState } from "preact/hooks";
import { exportAddress, type JsonObject, upload, work } from "../api/client.ts";
import { finalSize } from "../engine.ts";
import { begin } from "../state/history.ts";
import { draft, schema, trouble, wanted } from "../state/store.ts";
import { say } from "../texts.ts";

export function Files() {
  return (
    <section aria-label={say("export")}>
      <h2>{say("export")}</h2>
      <Export />
      <div class="row">
        <label class="button">
          {say("open")}
          <input type="file" hidden onChange={(e) => void openFile(e.currentTarget)} />
        </label>
        <button type="button" onClick={download}>
          {say("download")}
        </button>
        <CopyLink />
      </div>
    </section>
  );
}

async function openFile(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  input.value = "";
  if (!file) return;
  try {
    const { recipe } = await upload(file);
    begin({ recipe, off: [] });
  } catch (error) {
    trouble.value = String((error as Error).message);
  }
}

function download(): void {
  const recipe = wanted.peek();
  if (!recipe) return;
  save(
    URL.createObjectURL(
      new Blob([`${JSON.stringify(recipe, null, 2)}\n`], { type: "application/json" }),
    ),
    `${String(recipe.title || "recipe")}.json`,
  );
}

function save(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      onClick={async () => {
        await navigator.clipboard.writeText(location.href);
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      }}
    >
      {say(copied ? "copied" : "copyLink")}
    </button>
  );
}

function Export() {
  const [target, setTarget] = useState("");
  const [share, setShare] = useState<number | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const start = async () => {
    const recipe = wanted.peek();
    if (!recipe || !target) return;
    const controller = new AbortController();
    setStop(controller);
    setShare(0);
    const what: JsonObject = target.startsWith(".") ? { format: target } : { target };
    const asked: JsonObject = { kind: "export", recipe, size: finalSize.peek(), ...what };
    const title = draft.peek()?.recipe.title;
    if (typeof title === "string" && title) asked.name = title.slice(0, 40);
    try {
      const result = await work(asked, (job) => setShare(job.share), controller.signal);
      save(exportAddress(String(result.export)), String(result.file));
    } catch (error) {
      if (!controller.signal.aborted) trouble.value = String((error as Error).message);
    } finally {
      setShare(null);
      setStop(null);
    }
  };
  return (
    <>
      <div class="row">
        <select
          aria-label={say("exportFor")}
          value={target}
          onChange={(e) => setTarget(e.currentTarget.value)}
        >
          <option value="">{say("exportFor")} …</option>
          <optgroup label={say("exportFor")}>
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
        {stop ? (
          <button type="button" onClick={() => stop.abort()}>
            {say("cancel")}
          </button>
        ) : (
          <button type="button" disabled={!target} onClick={() => void start()}>
            {say("exportStart")}
          </button>
        )}
      </div>
      {share !== null && <progress value={share} max={1} aria-label={say("export")} />}
    </>
  );
}
