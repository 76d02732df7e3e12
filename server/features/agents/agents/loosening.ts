import type { ApprovalRule } from '../../../../contract/agents/agent-options.ts'
import { AGENT_AREA, type AgentSettings } from '../../../../contract/agents/agents.ts'
import type { Context } from '../../../context.ts'
import { requireStepUp } from '../../../endpoint/permit.ts'

type Rules = AgentSettings['approvals']
type Budget = AgentSettings['budget']

/** A change that lets an agent do more without a human requires step-up, so an API key can't make it. */
export function requireStepUpIfLooser(
  ctx: Context,
  before: AgentSettings | null,
  after: AgentSettings,
): void {
  const isLooser =
    loosens(before?.approvals ?? {}, after.approvals) || raises(before?.budget ?? null, after.budget)
  if (isLooser) requireStepUp(ctx.caller, AGENT_AREA, ctx.now())
}

/** Without a rule, the run's trust decides: stricter than `allow`, less strict than `ask`. */
const STRICTNESS = { allow: 0, none: 1, ask: 2, deny: 3 }

/** A rule that becomes less strict, unless it becomes `ask`: then a human decides each time. */
function loosens(before: Rules, after: Rules): boolean {
  const ruleIn = (rules: Rules, key: string): ApprovalRule | 'none' =>
    Object.hasOwn(rules, key) ? rules[key]! : 'none'
  return Object.keys({ ...before, ...after }).some((key) => {
    const [was, is] = [ruleIn(before, key), ruleIn(after, key)]
    return is !== 'ask' && STRICTNESS[is] < STRICTNESS[was]
  })
}

/** An agent without a budget can get any. */
function raises(before: Budget, after: Budget): boolean {
  if (before === null) return false
  return after === null || millionthsOf(after) > millionthsOf(before)
}

/** Amounts have six decimals and more digits than a double. */
const millionthsOf = ({ amount }: { amount: string }) => BigInt(amount.replace('.', ''))
