import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { AGENT_RISK_NAMES } from '../../../../contract/agents/agent-options.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  type OrgSettings as Contract,
  orgSettings as endpoints,
} from '../../../../contract/organizations/settings.ts'
import { DEFAULT_BUDGET_SCOPES, EVENT_DAYS } from '../../../../contract/organizations/settings-options.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { handle } from '../../../endpoint/route.ts'
import { withoutUndefined } from '../../../endpoint/without-undefined.ts'
import { badField, forbidden } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import { addJob, job } from '../../../jobs/job.ts'
import type { Models } from '../../../language-models/models.ts'
import { lockBudgets, resetDefaultTotals } from '../../billing/budgets/budgets.ts'

type SettingsModels = Pick<Models, 'audio' | 'describe' | 'embedder'>

/** The feature that embeds reads the settings again. */
export const embedderChosen = job('settings.embedder-chosen', z.object({ orgId: z.uuid() }))

/** An organization's defaults and rules for its agents. */
export const orgSettings = ({ models }: { models: SettingsModels }): Feature => ({
  routes: [
    handle(endpoints.get, getSettings),
    handle(endpoints.update, async (ctx, change) => {
      await requireAudio(models, ctx, change)
      await requireVision(models, ctx, change)
      await requireEmbeddings(models, ctx, change)
      return updateSettings(ctx, change)
    }),
  ],
})

async function getSettings({ sql, caller }: Context) {
  return present(await findSettings(sql, caller.orgId))
}

/** A provider without audio would fail only when somebody speaks. */
async function requireAudio(
  models: SettingsModels,
  { caller }: Context,
  { voice = {} }: InputOf<typeof endpoints.update>,
): Promise<void> {
  for (const use of ['transcription', 'speech'] as const) {
    const model = voice[use]
    if (model != null && (await models.audio(caller.orgId, model)) === null)
      throw badField(
        `body.voice.${use}`,
        'must be a model of a provider of the kind openai or openai-compatible, which have OpenAI’s audio API',
      )
  }
}

/** It would fail only when somebody shows an image. */
async function requireVision(
  models: SettingsModels,
  { caller }: Context,
  { visionModel }: InputOf<typeof endpoints.update>,
): Promise<void> {
  if (visionModel == null) return
  const info = await models.describe(caller.orgId, visionModel)
  if (!info?.modalities.input.includes('image'))
    throw badField(
      'body.visionModel',
      'must be a model that accepts images. If it does and its provider doesn’t say so, set that in the model list first',
    )
}

async function requireEmbeddings(
  models: SettingsModels,
  { caller }: Context,
  { embeddings }: InputOf<typeof endpoints.update>,
): Promise<void> {
  const model = embeddings?.model
  if (model != null && (await models.embedder(caller.orgId, model))?.isStatic !== false)
    throw badField(
      'body.embeddings.model',
      'must be a model of a provider with embeddings: of any kind but anthropic',
    )
}

/** The budget lock also serializes settings changes. */
function updateSettings(ctx: Context, change: InputOf<typeof endpoints.update>) {
  return ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    await lockBudgets(sql, caller.orgId)
    const before = withDefaults((await findSettings(sql, caller.orgId))?.settings ?? null)
    const after = merge(before, change)
    const changed = (Object.keys(after) as (keyof OrgSettings)[]).filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    )
    if (changed.length > 0) {
      await upsertSettings(sql, caller.orgId, { settings: after, by: caller.userId, now: ctx.now() })
      const details = { settings: changed.join(', ') }
      await recordAudit(inside, {
        action: 'organization.settings-changed',
        by: caller,
        target: caller.orgId,
        details,
      })
    }
    if (changed.includes('embeddings'))
      await sql`select ${addJob(sql, embedderChosen, { orgId: caller.orgId })}`
    if (changed.includes('defaultBudgets')) await resetDefaultTotals(inside)
    return present(await findSettings(sql, caller.orgId))
  })
}

function merge(before: OrgSettings, change: InputOf<typeof endpoints.update>): OrgSettings {
  const {
    defaultModel = before.defaultModel,
    runEventDays = before.runEventDays,
    visionModel = before.visionModel,
  } = change
  return {
    defaultModel,
    runEventDays,
    defaultBudgets: { ...before.defaultBudgets, ...withoutUndefined(change.defaultBudgets ?? {}) },
    approvals: { ...before.approvals, ...withoutUndefined(change.approvals ?? {}) },
    models: { ...before.models, ...withoutUndefined(change.models ?? {}) },
    voice: { ...before.voice, ...withoutUndefined(change.voice ?? {}) },
    visionModel,
    embeddings: { ...before.embeddings, ...withoutUndefined(change.embeddings ?? {}) },
  }
}

const present = (row: SettingsRow | null) => ({
  ...withDefaults(row?.settings ?? null),
  updatedBy: row?.updatedBy ?? null,
  updatedAt: row?.updatedAt ?? null,
})

export const readSettings = async (sql: Sql, { orgId }: { orgId: string }): Promise<OrgSettings> =>
  withDefaults((await findSettings(sql, orgId))?.settings ?? null)

export async function requireModels(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  models: readonly string[],
): Promise<void> {
  if (models.length === 0) return
  const settings = await readSettings(sql, caller)
  for (const model of models) {
    const rule = refusingRule(settings, caller.role, model)
    if (rule) throw forbidden(refusalText(rule, model), { reason: 'model_not_allowed', rule, model })
  }
}

export function refusingRule(
  { models }: Pick<OrgSettings, 'models'>,
  role: Role,
  model: string,
): string | null {
  const allowed = models[role]
  if (allowed === null || allowed.some((rule) => matches(rule, model))) return null
  return `models.${role}`
}

const matches = (rule: string, model: string) =>
  rule.endsWith('/*') ? model.startsWith(rule.slice(0, -1)) : rule === model

export const refusalText = (rule: string, model: string) =>
  `The rule ${rule} in the organization settings does not allow ${model}`

export type OrgSettings = Omit<z.output<typeof Contract>, 'updatedBy' | 'updatedAt'>

/** Settings that no admin has set are absent. */
export type StoredSettings = {
  [K in keyof OrgSettings]?: OrgSettings[K] extends object ? Partial<OrgSettings[K]> : OrgSettings[K]
}

const nulls = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, null])) as Record<K, null>
const ROLES: readonly Role[] = ['owner', 'admin', 'member']
const VOICE = ['transcription', 'speech', 'voiceName'] as const

export const withDefaults = (stored: StoredSettings | null): OrgSettings => ({
  defaultModel: stored?.defaultModel ?? null,
  defaultBudgets: { ...nulls(DEFAULT_BUDGET_SCOPES), ...stored?.defaultBudgets },
  runEventDays: stored?.runEventDays ?? EVENT_DAYS.default,
  approvals: { ...nulls(AGENT_RISK_NAMES), ...stored?.approvals },
  models: { ...nulls(ROLES), ...stored?.models },
  voice: { ...nulls(VOICE), ...stored?.voice },
  visionModel: stored?.visionModel ?? null,
  embeddings: { model: stored?.embeddings?.model ?? null },
})

interface SettingsRow {
  settings: StoredSettings
  updatedBy: string | null
  updatedAt: string
}

async function findSettings(sql: Sql, orgId: string): Promise<SettingsRow | null> {
  const [row] = await sql<SettingsRow[]>`
    select settings, updated_by as "updatedBy", updated_at as "updatedAt" from org_settings where org_id = ${orgId}`
  return row ?? null
}

const upsertSettings = (
  sql: Sql,
  orgId: string,
  { settings, by, now }: { settings: StoredSettings; by: string; now: Date },
) => sql`
  insert into org_settings (org_id, settings, updated_by, updated_at)
  values (${orgId}, ${sql.json(settings as never)}, ${by}, ${now})
  on conflict (org_id) do update set settings = excluded.settings, updated_by = excluded.updated_by,
    updated_at = excluded.updated_at`
