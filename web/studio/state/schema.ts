/**
 * The recipe's JSON Schema read for a panel: which steps there are and what each of their
 * parameters is. It knows no step and no parameter by name.
 */

import type { Json, JsonObject } from "../api/client.ts";

export type Kind =
  | "number"
  | "count"
  | "choice"
  | "switch"
  | "text"
  | "layer"
  | "record"
  | "list"
  | "steps";

export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly sentence: string;
  readonly kind: Kind;
  /** Unit as the schema has it; "" for none. */
  readonly unit: string;
  readonly least: number | null;
  readonly most: number | null;
  readonly fallback: Json;
  /** Whether null is a value: "none". */
  readonly optional: boolean;
  readonly choices: readonly string[];
  /** Of a record, or of each row of a list. */
  readonly parts: readonly Parameter[];
  readonly pattern: string;
}

export interface StepKind {
  readonly op: string;
  /** The part before the dot: fields, erosion … */
  readonly family: string;
  readonly label: string;
  /** The first sentence of what it does. */
  readonly sentence: string;
  readonly parameters: readonly Parameter[];
}

type Node = JsonObject;

const isNode = (value: Json | undefined): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Json | undefined): number | null =>
  typeof value === "number" ? value : null;

/** "talus_angle" as a person reads it: "talus angle". */
export const words = (name: string): string => name.replaceAll("_", " ");

/** A title of its own where the schema has one, and not just the name in other letters. */
const labelOf = (name: string, title: string): string =>
  title && title.toLowerCase() !== words(name) ? title : words(name);

const firstSentence = (about: string): string =>
  (about.split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ").replaceAll("`", "").trim();

/** A text that may be "some_layer", and nothing that has a space or a dot, names a layer. */
const isLayerName = (pattern: string): boolean =>
  pattern !== "" && new RegExp(pattern).test("some_layer") && !new RegExp(pattern).test("a b.c");

/** Families as a recipe goes through them; others come last. */
const FAMILIES = ["fields", "erosion", "hydrology", "surface"];
const place = (family: string): number => {
  const at = FAMILIES.indexOf(family);
  return at < 0 ? FAMILIES.length : at;
};

/** What shapes the land comes first; into which layer it goes, and how, comes last. */
const rank = ({ kind }: Parameter): number => (kind === "layer" ? 2 : kind === "choice" ? 1 : 0);

export class RecipeSchema {
  readonly kinds: ReadonlyMap<string, StepKind>;
  /** Of the recipe itself: ground, seed, sea … without its steps. */
  readonly parameters: readonly Parameter[];

  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
    const all = this.parametersOf(root);
    this.parameters = all.filter(({ kind }) => kind !== "steps");
    const kinds = this.stepNodes().map(([op, node]) => this.stepKind(op, node));
    kinds.sort((a, b) => place(a.family) - place(b.family));
    this.kinds = new Map(kinds.map((kind) => [kind.op, kind]));
  }

  /** The parameter of a kind of step that holds steps of its own, if it has one. */
  holds(op: string): Parameter | undefined {
    return this.kinds.get(op)?.parameters.find(({ kind }) => kind === "steps");
  }

  /** A new step of a kind: only its op, since all else is the default, and the steps it holds. */
  fresh(op: string, inner: readonly JsonObject[] = []): JsonObject {
    const holds = this.holds(op);
    return holds ? { op, [holds.name]: [...inner] } : { op };
  }

  /** Layers that steps write: the values of layer names that must be there. */
  layersMade(steps: readonly JsonObject[]): string[] {
    const made = steps.flatMap((step) => {
      const holds = this.holds(String(step.op));
      const inner = holds ? step[holds.name] : [];
      const own = (this.kinds.get(String(step.op))?.parameters ?? [])
        .filter(({ kind, optional }) => kind === "layer" && !optional)
        .map((parameter) => String(this.valueOf(step, parameter)));
      return [...own, ...this.layersMade(Array.isArray(inner) ? (inner as JsonObject[]) : [])];
    });
    return [...new Set(made)];
  }

  /** The value of a parameter: what the step says, or the default. */
  valueOf(holder: JsonObject, parameter: Parameter): Json {
    return holder[parameter.name] ?? (parameter.name in holder ? null : parameter.fallback);
  }

  /** What a step says of itself in a list: the layer it makes, or the steps that it holds. */
  summary(step: JsonObject): string {
    const kind = this.kinds.get(String(step.op));
    const holds = this.holds(String(step.op));
    const inner = holds ? ((step[holds.name] ?? []) as JsonObject[]) : [];
    if (inner.length > 0) {
      const counts = (kind?.parameters ?? []).filter((one) => one.kind === "count");
      const times = counts.map((one) => `${this.valueOf(step, one)} ×`);
      return [...times, inner.map(({ op }) => this.label(String(op))).join(", ")].join(" ");
    }
    const layer = kind?.parameters.find((one) => one.kind === "layer" && !one.optional);
    const into = layer ? String(this.valueOf(step, layer)) : "";
    return layer && into !== layer.fallback ? words(into) : "";
  }

  /** What a kind of step is called. */
  label(op: string): string {
    return this.kinds.get(op)?.label ?? op;
  }

  private stepNodes(): [string, Node][] {
    const properties = isNode(this.root.properties) ? this.root.properties : {};
    const items = isNode(properties.steps) ? properties.steps.items : undefined;
    const discriminator = isNode(items) ? items.discriminator : undefined;
    const mapping = isNode(discriminator) ? discriminator.mapping : undefined;
    if (!isNode(mapping)) return [];
    return Object.entries(mapping).map(([op, ref]) => [op, this.resolve({ $ref: ref })]);
  }

  private stepKind(op: string, node: Node): StepKind {
    const [family = "", name] = op.split(".");
    const parameters = this.parametersOf(node).filter(
      ({ name: key }) => key !== "op" && key !== "algorithm",
    );
    parameters.sort((a, b) => rank(a) - rank(b));
    return {
      op,
      family: name === undefined ? "" : family,
      label: words(name ?? family),
      sentence: firstSentence(text(node.description)),
      parameters,
    };
  }

  private parametersOf(node: Node): Parameter[] {
    const properties = isNode(node.properties) ? node.properties : {};
    return Object.entries(properties)
      .filter(([, value]) => isNode(value) && value.const === undefined)
      .map(([name, value]) => this.parameter(name, value as Node));
  }

  private parameter(name: string, given: Node): Parameter {
    const optional = Array.isArray(given.anyOf);
    const node = this.resolve(optional ? this.some(given) : given);
    const kind = this.kindOf(node);
    const row = kind === "list" && isNode(node.items) ? this.resolve(node.items) : node;
    return {
      name,
      label: labelOf(name, text(given.title)),
      sentence: firstSentence(text(given.description) || text(node.description)),
      kind,
      unit: text(node.unit) === "1" ? "" : text(node.unit),
      least: number(node.minimum) ?? number(node.exclusiveMinimum),
      most: number(node.maximum) ?? number(node.exclusiveMaximum),
      fallback: given.default ?? null,
      optional,
      choices: Array.isArray(node.enum) ? node.enum.map(String) : [],
      parts: kind === "record" || kind === "list" ? this.parametersOf(row) : [],
      pattern: text(node.pattern),
    };
  }

  /** The alternative of a choice that is not null. */
  private some(given: Node): Node {
    const options = Array.isArray(given.anyOf) ? given.anyOf : [];
    return options.filter(isNode).find(({ type }) => type !== "null") ?? given;
  }

  private kindOf(node: Node): Kind {
    if (Array.isArray(node.enum)) return "choice";
    if (isNode(node.items) && isNode(node.items.discriminator)) return "steps";
    if (node.type === "array") return "list";
    if (node.type === "object" || isNode(node.properties)) return "record";
    if (node.type === "integer") return "count";
    if (node.type === "number") return "number";
    if (node.type === "boolean") return "switch";
    return isLayerName(text(node.pattern)) ? "layer" : "text";
  }

  private resolve(node: Node): Node {
    const ref = text(node.$ref);
    if (!ref) return node;
    const definitions = isNode(this.root.$defs) ? this.root.$defs : {};
    const found = definitions[ref.replace("#/$defs/", "")];
    return isNode(found) ? found : node;
  }
}
