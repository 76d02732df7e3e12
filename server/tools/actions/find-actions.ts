import { rankByTerms } from '../rank-by-terms.ts'
import type { Action, Actions } from './actions.ts'

/** The best matches for a few words: in the name first, then in the summary, then in the rest. */
export const findActions = (actions: Actions, query: string, limit: number): Action[] =>
  rankByTerms(actions.values(), query, limit, ({ name, endpoint }) => [
    [`${endpoint.path} ${endpoint.description ?? ''}`, 1],
    [endpoint.summary, 3],
    [name, 4],
  ])
