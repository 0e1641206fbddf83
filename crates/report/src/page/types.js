// The types of a page's content. This file is for the type checker; it is not part of the page.

/**
 * @typedef {any[]} Condition A condition; the first element is its kind.
 * @typedef {[number, number]} ClassPoints A class and the points that it gets.
 * @typedef {{when: Condition, text: string, covered: number[], mean?: number, folds?: [number, number]}} PoolRule
 * @typedef {{slope: number, offsets: number[]}} Calibration
 * @typedef {{
 *   base: number[], rules: [number, ClassPoints[]][], how: string, otherwise: string | null,
 *   calibration: Calibration | null, chart?: [number, [string, number][][]] | null, card?: Card,
 *   notes?: (string | null)[], unstable?: string, accuracy?: number | null, auc?: number | null, r2?: number, mae?: number
 * }} Size A model of one size.
 * @typedef {{
 *   ordered: boolean, pool: PoolRule[], sizes: Size[], selected: number, front: string, notes: string[]
 * }} RuleModel
 * @typedef {{
 *   name: string, kind: "numeric" | "nominal" | "boolean", range?: [number, number],
 *   categories?: string[], unit?: string, date?: "days" | "seconds", date_format?: string,
 *   spellings?: [string, string][]
 * }} Column
 * @typedef {{
 *   missing: string[], among_numbers: string[], decimal: string, thousands: string
 * }} Reading How cells are read: the marks of missing values, also those of numbers only, and the format of numbers.
 * @typedef {{class: number, at: number[], own: number[], others: number[]}} Curve Counts by probability.
 * @typedef {{key: string, name: string, value: [number, number, number], baseline: number}} Figure
 * @typedef {{
 *   examples: number, predicted: number, precision: [number, number, number] | null,
 *   recall: [number, number, number] | null
 * }} ClassFigures
 * @typedef {{
 *   source: {kind: "folds", folds: number, repeats: number} | {kind: "data", name: string, training: boolean},
 *   evaluated: number, units: number, unknown?: number, figures: Figure[], classes?: ClassFigures[],
 *   confusion?: number[][] | null, probabilities?: boolean, curves?: Curve[],
 *   points?: [number, number][], sampled?: boolean, costs?: number[] | null,
 *   cheapest?: string | null, cost_warning?: string | null
 * }} Evaluation
 * @typedef {{
 *   name: string, used: boolean, missing: number, kind: string, distinct?: number,
 *   range?: [number, number], ends?: [string, string], median?: number, categories?: string[],
 *   levels?: number[] | null, bins?: number[][], separates?: boolean
 * }} DataColumn
 * @typedef {{
 *   name: string, rows: number, examples: number, bags: string | null, total: number, classes: string[],
 *   counts: number[], columns: DataColumn[], skipped: string[], notes: string[], guessed: boolean
 * }} DataSummary
 * @typedef {{
 *   target: string, classes: string[], number?: [number, number] | null, examples: number[],
 *   bag?: string | null, answer?: string | null, never?: string[], used?: number
 * }} Task
 * @typedef {{
 *   kind: "rules" | "network" | "expressions" | "text", rules?: RuleModel, network?: NetworkModel, importance?: [string, number][], text?: string,
 *   example_groups?: {examples: number[], columns: [string, number][]}[],
 *   drawing?: string, effects?: ColumnScores[],
 *   held_out?: any, expressions?: LearnedExpression[]
 * }} PageModel
 * @typedef {{column: string, importance: number, points: [any, number][]}} ColumnScores
 * @typedef {{column: string, size: number, points: [Cell, number[]][], classes?: number[]}} ColumnEffect
 * @typedef {{rows: number, of: "probability" | "score" | "number", columns: ColumnEffect[]}} EffectSummary
 * @typedef {{folds: [number, number], covered: number[], totals: number[]}} HeldOutCoverage
 * @typedef {{classes: string[], totals: number[], covered: number[][], both: number[][]}} Coverage
 * @typedef {{
 *   name: string, examples: number, accuracy?: number[] | null, auc?: number[] | null,
 *   sensitivity?: number[] | null, specificity?: number[] | null, actual?: number | null,
 *   predicted?: number | null, mae?: number[], r2?: number[] | null
 * }} Group
 * @typedef {{
 *   version: string, learner?: string, engine?: string, columns?: Column[], reading?: Reading, task: Task, model?: PageModel,
 *   run?: {evaluated: number, counts: string, stop: string}, parameters?: Object<string, any>, evaluation?: Evaluation, evaluation_by_size?: (Evaluation | null)[], data?: DataSummary, fixed?: string[],
 *   provenance?: {
 *     date: string | null, command: string | null, model: [string, string] | null,
 *     data: [string, string] | null
 *   },
 *   downloads: {label: string, file: string, packed: string}[], effects?: EffectSummary, coverage?: Coverage,
 *   groups?: {column: string, groups: Group[]}, tree?: ExpressionPart, tree_totals?: number[], sparql?: string,
 *   answers?: number, no_estimate?: string, too_large?: string[], held_out_coverage?: (HeldOutCoverage | null)[], individuals?: Individuals
 * }} Content
 * @typedef {number | string | boolean | null} Cell A value; a missing number is NaN, others are null.
 * @typedef {{
 *   applied: boolean[], scores: number[], probabilities: number[] | null, predicted: number
 * }} Prediction The predicted class by code, or the predicted number.
 */
