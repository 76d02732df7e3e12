import { t } from '../../../../contract/text.ts'
import { readSchema } from '../../../components/results/format/result-fields.ts'
import { isRecord, toJsonText } from '../../../components/results/labels.ts'
import { readSteps, type StepKind } from '../model/block-steps.ts'
import type { Block } from '../store/items.ts'

export const UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
export type Unit = keyof typeof UNITS

export interface FormFieldDraft {
  key: string
  label: string
  type: string
  options: string
  required: boolean
}

/** What the dialog's controls hold. */
export interface StepDraft {
  kind: StepKind
  waitFor: 'time' | 'date' | 'event'
  amount: string
  unit: Unit
  until: string
  eventType: string
  fields: FormFieldDraft[]
  people: string[]
  repeats: boolean
  from: 'output' | 'files' | 'other'
  path: string
  concurrency: string
  budget: string
  preview: boolean
  onFailure: string
  /** A list that the dialog can't edit, such as rows chosen in a table. */
  otherOver: Record<string, unknown> | null
  /** JSON. Empty for the agent's own. */
  outputSchema: string
}

const PREVIEW_ITEMS = 3

export function toDraft(block: Block): StepDraft {
  const { kind, step, forEach } = readSteps(block)
  const { outputSchema } = block.metadata
  const seconds = Number(step?.seconds ?? step?.event?.timeoutSeconds ?? 3600)
  const unit = (['days', 'hours', 'minutes', 'seconds'] as const).find((name) => seconds % UNITS[name] === 0)!
  const over = forEach?.over ?? { from: 'output' }
  const isPlain = over.from === 'output' || (over.from === 'files' && !over.folderId && !over.fileIds)
  return {
    kind,
    waitFor: step?.event ? 'event' : step?.until ? 'date' : 'time',
    amount: String(seconds / UNITS[unit]),
    unit,
    until: typeof step?.until === 'string' ? toLocalInput(step.until) : '',
    eventType: step?.event?.type ?? '',
    fields: fieldsOf(step?.fields),
    people: Array.isArray(step?.people) ? step.people : [],
    repeats: forEach !== null,
    from: isPlain ? over.from : 'other',
    path: over.path ?? '',
    concurrency: String(forEach?.concurrency ?? 4),
    budget: forEach?.budget === undefined ? '' : String(forEach.budget),
    preview: forEach?.preview !== undefined,
    onFailure: forEach?.onFailure ?? 'finish',
    otherOver: isPlain ? null : over,
    outputSchema: isRecord(outputSchema) ? toJsonText(outputSchema) : '',
  }
}

export const NEW_FIELD: FormFieldDraft = { key: '', label: '', type: 'text', options: '', required: true }

const fieldsOf = (fields: unknown): FormFieldDraft[] =>
  Array.isArray(fields) && fields.length > 0
    ? fields.map(({ key, label, type, options, required }) => ({
        key: String(key ?? ''),
        label: String(label ?? ''),
        type: String(type ?? 'text'),
        options: Array.isArray(options) ? options.join('\n') : '',
        required: required !== false,
      }))
    : [NEW_FIELD]

/** For a datetime-local input. */
function toLocalInput(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

type Result = { step?: object; forEach?: object; outputSchema?: object } | { problem: string }

export function toMetadata(draft: StepDraft): Result {
  const { kind } = draft
  if (kind === 'wait') return waitOf(draft)
  if (kind === 'form') return formOf(draft)
  const repetition = draft.repeats ? forEachOf(draft) : null
  if (repetition && 'problem' in repetition) return repetition
  if (kind === 'code') return { ...repetition, step: { type: 'code' } }
  if (draft.outputSchema === '') return { ...repetition }
  const { schema, problem } = readSchema(draft.outputSchema)
  return problem === null
    ? { ...repetition, outputSchema: schema }
    : { problem: t`Result format: ${problem}` }
}

function waitOf({ waitFor, amount, unit, until, eventType }: StepDraft): Result {
  const seconds = Math.round(Number(amount) * UNITS[unit])
  if (waitFor === 'date') {
    const date = new Date(until)
    if (Number.isNaN(date.getTime())) return { problem: t`Choose a date and time.` }
    return { step: { type: 'wait', until: date.toISOString() } }
  }
  if (!(seconds >= 1)) return { problem: t`The time must be at least one second.` }
  if (waitFor === 'time') return { step: { type: 'wait', seconds } }
  if (eventType.trim() === '') return { problem: t`Enter the type of the event.` }
  return { step: { type: 'wait', event: { type: eventType.trim(), timeoutSeconds: seconds } } }
}

function formOf({ fields, people }: StepDraft): Result {
  if (fields.some(({ label }) => label.trim() === '')) return { problem: t`Every field needs a label.` }
  const taken = new Set<string>()
  return {
    step: {
      type: 'form',
      people,
      fields: fields.map(({ key, label, type, options, required }) => ({
        key: uniqueKey(key || keyFrom(label), taken),
        label: label.trim(),
        type,
        required,
        ...(type === 'choice' && {
          options: options
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        }),
      })),
    },
  }
}

/** Such as `unitPrice`. */
function keyFrom(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9 ]/g, '')
    .trim()
    .split(/\s+/)
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 36)
  return /^[a-z]/.test(joined) ? joined : `field${joined}`
}

function uniqueKey(key: string, taken: Set<string>): string {
  let unique = key
  for (let n = 2; taken.has(unique); n++) unique = `${key}${n}`
  taken.add(unique)
  return unique
}

function forEachOf(draft: StepDraft): { forEach: object } | { problem: string } {
  const { from, path, concurrency, budget, preview, onFailure, otherOver } = draft
  const count = Number(concurrency)
  if (!(Number.isInteger(count) && count >= 1 && count <= 20))
    return { problem: t`From 1 to 20 items can run at the same time.` }
  const amount = budget.trim() === '' ? undefined : Number(budget)
  if (amount !== undefined && !(amount > 0)) return { problem: t`The budget must be greater than 0.` }
  const over =
    from === 'other' && otherOver
      ? otherOver
      : from === 'files'
        ? { from }
        : { from: 'output', path: path.trim() }
  return {
    forEach: {
      over,
      concurrency: count,
      onFailure,
      ...(amount !== undefined && { budget: amount }),
      ...(preview && { preview: PREVIEW_ITEMS }),
    },
  }
}
