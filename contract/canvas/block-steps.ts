import { z } from 'zod'
import { Id, jsonValue, TimestampInput, text } from '../fields.ts'
import { FilterInput, SortInput } from '../projects/table-fields.ts'
import { TABLE_LIMITS } from '../projects/table-options.ts'

export const ITEMS_MAX = 100_000
export const LISTED_ITEMS_MAX = 1000
export const CONCURRENCY_MAX = 20
export const FORM_FIELDS_MAX = 30
export const FORM_PEOPLE_MAX = 50
const WAIT_DAYS_MAX = 366
const WAIT_SECONDS_MAX = WAIT_DAYS_MAX * 86_400
const ITEM_BYTES_MAX = 100_000

const Seconds = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(WAIT_SECONDS_MAX, `must be at most ${WAIT_SECONDS_MAX}, which is ${WAIT_DAYS_MAX} days`)

const path = text(0, 500, { trim: false })
  .refine((value) => value.split('.').length <= 20, 'must have at most 20 parts')
  .default('')

export const Over = z
  .discriminatedUnion('from', [
    z.strictObject({
      from: z.literal('output'),
      blockId: Id.optional().describe('Upstream block; may be absent if there is only one'),
      path: path.describe('Keys and positions joined by dots, such as `orders.0.lines`; empty for all of it'),
    }),
    z.strictObject({
      from: z.literal('values'),
      values: z
        .array(jsonValue())
        .min(1, 'must have at least 1 item')
        .max(LISTED_ITEMS_MAX, `must have at most ${LISTED_ITEMS_MAX} items`)
        .refine(
          (values) => values.every((value) => (JSON.stringify(value) ?? '').length <= ITEM_BYTES_MAX),
          `must have items of at most ${ITEM_BYTES_MAX} characters`,
        ),
    }),
    z.strictObject({
      from: z.literal('rows'),
      tableId: Id,
      viewId: Id.optional().describe('Only the rows that it shows, in its order'),
      filter: FilterInput.optional().describe('Instead of the view’s'),
      sort: z.array(SortInput).max(TABLE_LIMITS.sorts).optional().describe('Instead of the view’s'),
      search: text(1, 200).optional(),
      rowIds: z
        .array(Id)
        .min(1, 'must have at least 1 row')
        .max(LISTED_ITEMS_MAX, `must have at most ${LISTED_ITEMS_MAX} rows`)
        .optional()
        .describe('Only these'),
      results: z
        .record(text(1, 200), path)
        .refine((columns) => Object.keys(columns).length <= 50, 'must have at most 50 columns')
        .default({})
        .describe(
          'Columns that get a part of each result, by id or name, with its path; empty for all of it',
        ),
    }),
    z.strictObject({
      from: z.literal('files'),
      folderId: Id.optional().describe(
        'Its files, without those in folders inside it; the project folder if absent',
      ),
      fileIds: z
        .array(Id)
        .min(1, 'must have at least 1 file')
        .max(LISTED_ITEMS_MAX, `must have at most ${LISTED_ITEMS_MAX} files`)
        .optional()
        .describe('Only these'),
    }),
  ])
  .describe('The list')

export const ON_FAILURE = ['finish', 'stop', 'ignore'] as const

export const ForEach = z.strictObject({
  over: Over,
  concurrency: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(CONCURRENCY_MAX, `must be at most ${CONCURRENCY_MAX}`)
    .default(4)
    .describe('Items at the same time'),
  budget: z
    .number()
    .positive('must be greater than 0')
    .max(1_000_000, 'must be at most 1000000')
    .optional()
    .describe('In USD. No item starts once the others have used it'),
  preview: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(CONCURRENCY_MAX, `must be at most ${CONCURRENCY_MAX}`)
    .optional()
    .describe('Runs the first items, then waits for `POST /runs/:id/continue`'),
  onFailure: z
    .enum(ON_FAILURE)
    .default('finish')
    .describe(
      '`finish`: the other items run, and then the block fails. `stop`: no more items start. `ignore`: the block succeeds, and the output of failed items is null',
    ),
})

const Wait = z.strictObject({
  type: z.literal('wait'),
  seconds: Seconds.optional(),
  until: TimestampInput.optional(),
  event: z
    .strictObject({
      type: text(1, 200).describe('Event type, such as `file.created`'),
      timeoutSeconds: Seconds.default(86_400).describe('The block fails if no event arrives in time'),
    })
    .optional(),
})

export const FORM_FIELD_TYPES = ['text', 'long_text', 'number', 'boolean', 'date', 'choice'] as const

export const FormField = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][a-zA-Z0-9_]{0,39}$/, 'must be letters, digits and _, such as amount')
    .meta({ examples: ['amount'] }),
  label: text(1, 200),
  type: z.enum(FORM_FIELD_TYPES),
  options: z.array(text(1, 200)).min(1).max(50).optional().describe('For `choice`'),
  required: z.boolean().default(true),
})

const Form = z.strictObject({
  type: z.literal('form'),
  fields: z
    .array(FormField)
    .min(1, 'must have at least 1 field')
    .max(FORM_FIELDS_MAX, `must have at most ${FORM_FIELDS_MAX} fields`),
  people: z
    .array(Id)
    .max(FORM_PEOPLE_MAX, `must have at most ${FORM_PEOPLE_MAX} members`)
    .default([])
    .describe('Members who may answer; everyone who can edit the project if empty'),
  timeoutSeconds: Seconds.default(7 * 86_400).describe('The block fails if nobody answers in time'),
})

const Code = z.strictObject({ type: z.literal('code') })

export const BlockStep = z.discriminatedUnion('type', [Code, Wait, Form]).superRefine((step, ctx) => {
  if (step.type === 'code') return
  if (step.type === 'wait') {
    const given = [step.seconds, step.until, step.event].filter((value) => value !== undefined)
    if (given.length !== 1)
      ctx.addIssue({ code: 'custom', message: 'must have one of seconds, until and event' })
    return
  }
  const keys = new Set<string>()
  for (const [index, field] of step.fields.entries()) {
    if (keys.has(field.key))
      ctx.addIssue({ code: 'custom', path: ['fields', index, 'key'], message: 'is listed twice' })
    keys.add(field.key)
    if ((field.type === 'choice') !== (field.options !== undefined))
      ctx.addIssue({
        code: 'custom',
        path: ['fields', index, 'options'],
        message: 'must be set for a choice only',
      })
  }
})
