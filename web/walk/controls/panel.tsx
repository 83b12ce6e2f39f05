/** What lies over the scene: pause, whose eyes, where to, the hour and the mist. */

import { signal } from "@preact/signals";
import { ENGLISH as words } from "../texts.ts";
import type { Theatre } from "../theatre.ts";
import type { Onward } from "../walker/onward.ts";
import { placesOf } from "../walker/places.ts";
import type { Walker } from "../walker/walker.ts";

const opened = signal<"" | "help" | "figures">("");

export interface Shown {
  readonly stage: Theatre;
  readonly walker: Walker;
  readonly onward: Onward;
}

/** Her eyes, or a camera behind her. */
export function changePerson({ stage, walker }: Shown): void {
  walker.firstPerson.value = !walker.firstPerson.value;
  if (walker.firstPerson.value) stage.invalidate();
  else walker.behind();
}

export function changePause({ stage }: Shown): void {
  stage.paused.value = !stage.paused.value;
}

export function openHelp(): void {
  opened.value = opened.value === "help" ? "" : "help";
}

export function Panel({ stage, walker, onward }: Shown) {
  const { paused, mood } = stage;
  return (
    <>
      <nav class="walk-panel" aria-label={words.panel}>
        <div class="row">
          <button
            type="button"
            aria-pressed={paused.value}
            onClick={() => changePause({ stage, walker, onward })}
          >
            {paused.value ? words.goOn : words.pause}
          </button>
          <button
            type="button"
            aria-pressed={walker.firstPerson.value}
            onClick={() => changePerson({ stage, walker, onward })}
          >
            {walker.firstPerson.value ? words.behindHer : words.herEyes}
          </button>
          <button type="button" onClick={openHelp} aria-label={words.help}>
            ?
          </button>
        </div>
        <Places stage={stage} walker={walker} onward={onward} />
        <Dial
          label={words.hour}
          told={clock(mood.hour.value)}
          least={6}
          most={20}
          step={0.1}
          value={mood.hour.value}
          put={(hour) => {
            mood.hour.value = hour;
            stage.invalidate();
          }}
        />
        <Dial
          label={words.mist}
          told={`${Math.round(100 * mood.mist.value)} %`}
          least={0}
          most={1}
          step={0.01}
          value={mood.mist.value}
          put={(mist) => {
            mood.mist.value = mist;
            stage.invalidate();
          }}
        />
      </nav>
      <p class="word" role="status">
        {onward.word.value && words.words[onward.word.value]}
      </p>
      {opened.value === "help" && <Help />}
      {opened.value === "figures" && <FiguresOf stage={stage} />}
    </>
  );
}

const away = signal(false);

/** What is worth going to, in this window and on all the land. */
function Places({ stage, walker, onward }: Shown) {
  const all = placesOf(stage.entered.value, walker.place);
  if (all.length < 2) return null;
  const go = async ({ viewpoint, here }: (typeof all)[number]) => {
    if (here) return walker.take(viewpoint);
    away.value = true;
    await onward.take(viewpoint);
    away.value = false;
  };
  return (
    <label>
      <span>{words.takeMe}</span>
      <select
        value=""
        disabled={away.value}
        onChange={(event) => {
          const place = all[Number(event.currentTarget.value)];
          if (place) void go(place);
          event.currentTarget.value = "";
        }}
      >
        <option value="" disabled>
          {away.value ? words.onTheWay : words.choose}
        </option>
        {all.map(({ name }, k) => (
          <option key={`${k} ${name}`} value={k}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DialProps {
  readonly label: string;
  readonly told: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  readonly put: (value: number) => void;
}

function Dial({ label, told, least, most, step, value, put }: DialProps) {
  return (
    <label>
      <span>
        {label} <output>{told}</output>
      </span>
      <input
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={told}
        onInput={(event) => put(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

const close = () => {
  opened.value = "";
};

function Help() {
  return (
    <dialog class="figures" open aria-label={words.help} onKeyDown={closeOnEscape}>
      <dl>
        {words.keys.map(([key, deed]) => (
          <div key={key} class="pair">
            <dt>{key}</dt>
            <dd>{deed}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        {words.close}
      </button>{" "}
      <button
        type="button"
        onClick={() => {
          opened.value = "figures";
        }}
      >
        {words.figures}
      </button>
    </dialog>
  );
}

function FiguresOf({ stage }: { stage: Theatre }) {
  const { calls, triangles, instances, textures, bytes, milliseconds } = stage.figures();
  const standing = Object.values(instances).reduce((sum, count) => sum + count, 0);
  const rows: [string, string][] = [
    [words.calls, String(calls)],
    [words.triangles, Math.round(triangles).toLocaleString("en")],
    [words.instances, standing.toLocaleString("en")],
    [words.textures, String(textures)],
    [words.memory, `${(bytes / 1e6).toFixed(1)} MB`],
    [words.milliseconds, `${milliseconds.toFixed(2)} ms`],
  ];
  return (
    <dialog class="figures" open aria-label={words.figures} onKeyDown={closeOnEscape}>
      <dl>
        {rows.map(([name, figure]) => (
          <div key={name} class="pair">
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        {words.close}
      </button>
    </dialog>
  );
}

function closeOnEscape(event: KeyboardEvent): void {
  if (event.key === "Escape") close();
}

function clock(hour: number): string {
  const minutes = Math.round(60 * hour);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
