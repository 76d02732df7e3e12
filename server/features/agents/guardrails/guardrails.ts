import { guardrails as contract } from '../../../../contract/agents/guardrails.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Models } from '../../../language-models/models.ts'
import { createGuardrail, deleteGuardrail, getGuardrail, listGuardrails, updateGuardrail } from './manage.ts'
import { releaseTrial, trialAbandoned, tryGuardrail } from './trial.ts'

export { type ActiveRules, JUDGMENT_MAX, judgeText, loadRules } from './active-rules.ts'
export { findMatches } from './matching/match.ts'
export {
  type ActiveRule,
  isModelRule,
  type Judge,
  type PartRule,
  type RuleMatches,
  screenText,
  screenValue,
} from './matching/screen.ts'
export { createTextFilter } from './matching/text-filter.ts'
export { hasRules } from './queries.ts'

/** Rules that check what agents read and write. */
export const guardrails = ({ models }: { models: Pick<Models, 'find' | 'describe'> }): Feature => ({
  routes: [
    handle(contract.list, listGuardrails),
    handle(contract.create, createGuardrail),
    handle(contract.get, getGuardrail),
    handle(contract.update, updateGuardrail),
    handle(contract.remove, deleteGuardrail),
    handle(contract.try, tryGuardrail(models)),
  ],
  jobs: [onJob(trialAbandoned, releaseTrial)],
})
