import type { guardrails } from '../../../../contract/agents/guardrails.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import type { Models } from '../../../language-models/models.ts'
import { compileRule } from './active-rules.ts'
import { findGuardrail, requireValid } from './manage.ts'
import { type Match, matchesOf } from './matching/match.ts'
import { isModelRule, type ModelRule, screenText } from './matching/screen.ts'
import { judgeTrial } from './trial.ts'

const MATCHES_MAX = 1000

/** Applies a rule to a text, with the code that runs use. */
export const tryGuardrail =
  (models: Pick<Models, 'find' | 'describe'>) =>
  async (ctx: Context, input: InputOf<typeof guardrails.try>) => {
    const { guardrailId, rule: draft, text } = input
    if (draft) requireValid(draft, 'body.rule')
    const row = guardrailId ? await findGuardrail(ctx, guardrailId) : draft!
    const rule = compileRule({ id: '', name: '', version: 0, everywhere: false, enabled: true, ...row })
    const judge = async (modelRule: ModelRule) => {
      const verdict = await judgeTrial(models, ctx, modelRule, text)
      if (verdict === 'unavailable')
        throw badField(
          guardrailId ? 'body.guardrailId' : 'body.rule.config.model',
          'names a model that does not respond',
        )
      return verdict
    }
    const { value, blockedBy, matched } = await screenText([rule], text, judge)
    return {
      matched: matched.length > 0,
      action: rule.action,
      text: blockedBy ? null : value,
      matches: isModelRule(rule) ? [] : firstMatches(matchesOf(rule.find, text)),
    }
  }

function firstMatches(matches: Iterable<Match>): Match[] {
  const found: Match[] = []
  for (const match of matches) {
    if (found.push(match) === MATCHES_MAX) break
  }
  return found
}
