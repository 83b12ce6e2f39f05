/** What the map's colours and lines mean: a bar from low to high, and how far apart contours are. */

import { legend } from "../state/store.ts";
import { quantity, say } from "../texts.ts";

export function MapLegend() {
  const told = legend.value;
  if (!told) return null;
  const { stops, low, high, unit, logarithmic, keys, interval } = told;
  return (
    <div class="map-legend">
      {low !== null && high !== null && (
        <>
          <div
            class="colours"
            aria-hidden="true"
            style={{ background: `linear-gradient(to right, ${stops.join(",")})` }}
          />
          <p>
            <span>{quantity(low, unit)}</span>
            {logarithmic && <span>{say("logarithmic")}</span>}
            <span>{quantity(high, unit)}</span>
          </p>
        </>
      )}
      {keys.length > 0 && (
        <ul class="legend">
          {keys.map(({ colour, words }) => (
            <li key={words}>
              <span class="swatch" style={{ "--colour": colour }} aria-hidden="true" /> {words}
            </li>
          ))}
        </ul>
      )}
      {interval > 0 && <p>{say("interval", { metres: quantity(interval, "m") })}</p>}
    </div>
  );
}
