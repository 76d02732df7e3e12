import type { AgentRow, Warnings } from './records.ts'

/** Whether a provider that the organization can use at present offers the model. */
export type ModelCheck = (orgId: string, model: string) => Promise<boolean>
export type WarningsOf = (orgId: string, rows: readonly AgentRow[]) => Promise<Warnings[]>

/** Providers come and go, so an unknown model is a warning and not an error. */
export function createWarnings(offersModel: ModelCheck): WarningsOf {
  return async (orgId, rows) => {
    const models = [...new Set(rows.flatMap((row) => modelsOf(row).map(([, model]) => model)))]
    const known = await Promise.all(models.map((model) => offersModel(orgId, model)))
    const unknown = new Set(models.filter((_, index) => !known[index]))
    return rows.map((row) =>
      modelsOf(row)
        .filter(([, model]) => unknown.has(model))
        .map(([path, model]) => ({ path, message: `no configured provider offers ${model}` })),
    )
  }
}

const modelsOf = ({ settings: { model, fallbackModels } }: AgentRow): [path: string, model: string][] => [
  ...(model === null ? [] : [['model', model] satisfies [string, string]]),
  ...fallbackModels.map((name, index): [string, string] => [`fallbackModels.${index}`, name]),
]
