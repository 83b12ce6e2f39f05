// node validate-gltf.mjs FILE… prints, as JSON, what Khronos' validator finds in each file:
// {"FILE": {"errors": 0, "warnings": 0, "infos": 0, "hints": 0, "messages": [...], "info": {...}}}
// Leaves with 1 when a file has errors, with 2 when one cannot be read as glTF at all.
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import validator from "gltf-validator";

const MOST_MESSAGES = 200;

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    uri: file,
    maxIssues: MOST_MESSAGES,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(normalize(join(dirname(file), decodeURIComponent(uri))))),
  });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  return {
    errors: numErrors,
    warnings: numWarnings,
    infos: numInfos,
    hints: numHints,
    messages,
    info: report.info,
  };
}

const reports = {};
for (const file of process.argv.slice(2)) {
  try {
    reports[file] = await validate(file);
    if (reports[file].errors) process.exitCode ||= 1;
  } catch (problem) {
    reports[file] = { unreadable: String(problem?.message ?? problem) };
    process.exitCode = 2;
  }
}
console.log(JSON.stringify(reports, null, 1));
