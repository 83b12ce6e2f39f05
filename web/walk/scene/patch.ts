/** Additions to three.js' own shaders; each says so at once when a new version has no place for it. */

/** The shader with a passage put in the place of another. Throws an Error if it is not there. */
export function patched(shader: string, find: string, put: string): string {
  if (!shader.includes(find)) throw new Error(`this three.js has no ${find} to build on`);
  return shader.replace(find, () => put);
}

/** The same, with the passage after what it looks for. */
export const patchedAfter = (shader: string, find: string, put: string): string =>
  patched(shader, find, `${find}\n${put}`);
