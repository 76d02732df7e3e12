import type { RuleDraft } from './rule-draft.ts'

export interface MatchFieldsProps {
  draft: RuleDraft
  change: (next: Partial<RuleDraft>) => void
  errorOf: (path: string) => string | undefined
}
