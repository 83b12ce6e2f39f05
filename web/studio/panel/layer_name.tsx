/** The name of a layer: one that was made before, or another. */

import { useState } from "preact/hooks";
import { words } from "../state/schema.ts";
import { say } from "../texts.ts";
import { put, type ValueProps } from "./parameter.tsx";

const OTHER = " ";

export function LayerValue({ parameter, value, at, layers, id }: ValueProps) {
  const name = String(value ?? "");
  const known = [...new Set(["elevation", ...layers, name])].filter(Boolean);
  const [typing, setTyping] = useState(false);
  if (typing) {
    return (
      <input
        id={id}
        type="text"
        value={name}
        pattern={parameter.pattern}
        placeholder={say("layerName")}
        ref={(input) => input?.focus()}
        onChange={(e) => {
          const typed = e.currentTarget.value.trim().toLowerCase().replace(/\s+/g, "_");
          if (typed) put(parameter, at, typed);
        }}
        onBlur={() => setTyping(false)}
      />
    );
  }
  return (
    <select
      id={id}
      value={name}
      onChange={(e) => {
        const chosen = e.currentTarget.value;
        if (chosen === OTHER) setTyping(true);
        else put(parameter, at, chosen);
      }}
    >
      {known.map((each) => (
        <option key={each} value={each}>
          {words(each)}
        </option>
      ))}
      <option value={OTHER}>{say("otherLayer")}</option>
    </select>
  );
}
