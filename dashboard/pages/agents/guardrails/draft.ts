import type { GuardrailKind, PiiKind } from '../../../../contract/agents/guardrail-options.ts'
import type { Guardrail, GuardrailRule } from '../../../api/guardrails.ts'

/** Fields for all kinds, so changing the kind loses no input. */
export interface Draft {
  name: string
  kind: GuardrailKind
  on: Guardrail['on']
  action: Guardrail['action']
  everywhere: boolean
  enabled: boolean
  pattern: string
  ignoreCase: boolean
  kinds: PiiKind[]
  /** One phrase per line. */
  phrases: string
  model: string
  instructions: string
}

const EMPTY: Draft = {
  name: '',
  kind: 'pii',
  on: 'input',
  action: 'redact',
  everywhere: true,
  enabled: true,
  pattern: '',
  ignoreCase: false,
  kinds: ['email', 'phone', 'card', 'iban', 'national_id'],
  phrases: '',
  model: '',
  instructions: '',
}

export function toDraft(guardrail: Guardrail | undefined): Draft {
  if (!guardrail) return EMPTY
  const { name, kind, on, action, everywhere, enabled, config } = guardrail
  const fields = config as Partial<Pick<Draft, 'pattern' | 'ignoreCase' | 'kinds' | 'model' | 'instructions'>>
  const { phrases } = config as { phrases?: string[] }
  return {
    ...EMPTY,
    name,
    kind,
    on,
    action,
    everywhere,
    enabled,
    ...fields,
    phrases: phrases?.join('\n') ?? '',
  }
}

export function toGuardrailRule(draft: Draft): GuardrailRule {
  const { on, pattern, ignoreCase, kinds, phrases, model, instructions } = draft
  const action = draft.kind === 'model' && draft.action === 'redact' ? 'block' : draft.action
  switch (draft.kind) {
    case 'regex':
      return { kind: 'regex', on, action, config: { pattern, ignoreCase } }
    case 'pii':
      return { kind: 'pii', on, action, config: { kinds } }
    case 'topic':
      return { kind: 'topic', on, action, config: { phrases: linesOf(phrases) } }
    case 'model':
      return { kind: 'model', on, action, config: { model, instructions } }
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function isComplete(draft: Draft): boolean {
  if (draft.kind === 'regex') return draft.pattern !== ''
  if (draft.kind === 'pii') return draft.kinds.length > 0
  if (draft.kind === 'topic') return linesOf(draft.phrases).length > 0
  return draft.model !== '' && draft.instructions.trim() !== ''
}
