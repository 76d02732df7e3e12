import type { Draft } from './draft.ts'

/** The props of one section of the form. */
export interface FieldsProps {
  draft: Draft
  update: (change: Partial<Draft>) => void
  /** The message of the server for a field, such as `budget.amount`. */
  errorOf: (field: string) => string | undefined
}
