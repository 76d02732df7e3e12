import { z } from 'zod'
import type { forms } from '../../../../../../contract/canvas/forms.ts'
import type { InputOf } from '../../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../../audit/record.ts'
import type { Context, JobContext } from '../../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../../database/cursor.ts'
import { badField, conflict, forbidden, notFound, raise } from '../../../../../errors.ts'
import { job } from '../../../../../jobs/job.ts'
import { lockRun, resume } from '../../../../agents/runs/runs.ts'
import { markKeysRead, notify } from '../../../../comments/notifications/notifications.ts'
import type { FormStep } from '../../steps.ts'
import {
  type FormView,
  findForm,
  findFormTitle,
  listFormPeople,
  listForms,
  updateAnswer,
} from './form-queries.ts'

export const formOpened = job('workflows.form-opened', z.object({ orgId: z.uuid(), formId: z.uuid() }))

export async function list(ctx: Context<'vault'>, { cursor, limit, runId }: InputOf<typeof forms.list>) {
  const { sql, caller, vault } = ctx
  const name = `forms ${caller.orgId} ${caller.userId} ${runId ?? ''}`
  const before = decodeCursor(vault, name, cursor)
  const rows = await listForms(sql, caller, { runId, before, limit: limit + 1 })
  return cursorPage(vault, name, limit, rows, present)
}

export const get = async ({ sql, caller }: Context, { id }: { id: string }) =>
  present((await findForm(sql, caller, id)) ?? raise(notFound('Form')))

export const answer = (ctx: Context, { id, answer: given }: InputOf<typeof forms.answer>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const form = (await findForm(sql, caller, id)) ?? raise(notFound('Form'))
    if (form.state !== 'open') throw conflict('This form is no longer open')
    if (!form.canAnswer) throw forbidden('Only the members this form asks can answer it')
    const run = await lockRun(sql, caller.orgId, form.runId)
    const now = ctx.now()
    const isAnswered = await updateAnswer(sql, caller.orgId, id, {
      answer: readAnswer(form.fields, given),
      by: caller.userId,
      now,
    })
    if (!isAnswered) throw conflict('This form is no longer open')
    if (run?.status === 'waiting') await resume(sql, run, now)
    await markKeysRead(sql, caller.orgId, form.projectId, noticeKey(id), now)
    await recordAudit(inside, { action: 'form.answered', by: caller, target: id, details: {} })
    return present((await findForm(sql, caller, id))!)
  })

const present = ({ access: _access, ...form }: FormView) => form

const TEXT_CHARACTERS_MAX = { text: 1000, long_text: 20_000 }
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Exactly the form's fields. An optional field without a value is null. */
export function readAnswer(
  fields: FormStep['fields'],
  given: Record<string, unknown>,
): Record<string, unknown> {
  const known = new Set(fields.map(({ key }) => key))
  for (const key of Object.keys(given))
    if (!known.has(key)) throw badField(`body.answer.${key}`, 'is not a known field')
  return Object.fromEntries(
    fields.map((field) => {
      const value = Object.hasOwn(given, field.key) ? given[field.key] : null
      const at = `body.answer.${field.key}`
      if (value === null || value === '') {
        if (field.required) throw badField(at, 'is required')
        return [field.key, null]
      }
      const rule = brokenRule(field, value)
      if (rule) throw badField(at, rule)
      return [field.key, value]
    }),
  )
}

function brokenRule({ type, options }: FormStep['fields'][number], value: unknown): string | null {
  switch (type) {
    case 'text':
    case 'long_text':
      if (typeof value !== 'string') return 'must be a text'
      if (value.includes('\0') || !value.isWellFormed())
        return 'must not contain NUL or broken Unicode characters'
      return value.length > TEXT_CHARACTERS_MAX[type]
        ? `must have at most ${TEXT_CHARACTERS_MAX[type]} characters`
        : null
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'date':
      return typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
        ? null
        : 'must be a date such as 2027-01-31'
    case 'choice':
      return typeof value === 'string' && options?.includes(value)
        ? null
        : `must be one of ${options?.join(', ')}`
  }
}

const noticeKey = (formId: string) => `form-${formId}`

/** The mail contains no text of the form, which an agent may have written. */
export async function notifyOfForm(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, formId }: { orgId: string; formId: string },
): Promise<void> {
  const form = await findFormTitle(ctx.sql, orgId, formId)
  if (!form) return
  const path = `/forms/${formId}`
  await notify(
    ctx,
    orgId,
    await listFormPeople(ctx.sql, orgId, formId),
    { kind: 'approval', key: noticeKey(formId), path, projectId: form.projectId },
    ({ t, textWithNames }) => ({
      subject: textWithNames`A workflow in “${form.projectName}” waits for your answer`,
      text: t`Answer the form: ${ctx.mail.linkTo(path)}`,
    }),
  )
}
