import { z } from 'zod'
import { ROLES } from '../accounts/accounts.ts'
import { Model } from '../agents/agent-fields.ts'
import { AGENT_RISK_NAMES } from '../agents/agent-options.ts'
import { USUAL_VOICE, VOICE_NAME_CHARACTERS_MAX } from '../agents/voice-options.ts'
import { budgetFields } from '../billing/budgets.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { DEFAULT_BUDGET_SCOPES, EVENT_DAYS, MODEL_RULES_MAX, ORG_APPROVAL_RULES } from './settings-options.ts'

/** A model, or `provider/*`. */
const ModelRule = z
  .string()
  .trim()
  .max(200)
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}\/(\*|[A-Za-z0-9@][\w.:/@+-]*)$/,
    'must be a model such as openai/gpt-5, or openai/*',
  )
  .meta({ examples: ['openai/*'] })

const byRole = <T extends z.ZodType>(value: T) =>
  Object.fromEntries(ROLES.map((role) => [role, value])) as Record<(typeof ROLES)[number], T>
const byScope = <T extends z.ZodType>(value: T) =>
  Object.fromEntries(DEFAULT_BUDGET_SCOPES.map((scope) => [scope, value])) as Record<
    (typeof DEFAULT_BUDGET_SCOPES)[number],
    T
  >
const byRisk = <T extends z.ZodType>(value: T) =>
  Object.fromEntries(AGENT_RISK_NAMES.map((risk) => [risk, value])) as Record<
    (typeof AGENT_RISK_NAMES)[number],
    T
  >

const DefaultBudget = z
  .strictObject({ ...budgetFields, onReach: budgetFields.onReach.default('pause') })
  .nullable()
const ApprovalRule = z.enum(ORG_APPROVAL_RULES, { error: 'must be ask or deny' }).nullable()
const ModelRules = z
  .array(ModelRule)
  .max(MODEL_RULES_MAX, `must have at most ${MODEL_RULES_MAX} models`)
  .transform((rules) => [...new Set(rules)])
  .nullable()

const DEFAULT_MODEL = 'Model for agents without one; null for the first available'
const BUDGETS = 'For every project, agent, user or API key without its own budget for the period'
const DAYS = 'Days for which run events are stored after the run ends'
const APPROVALS =
  'Least strict rule for each risk: `ask` asks for approval where an agent would not, `deny` refuses; null if the agent’s rule applies'
const MODELS = 'Models that members with a role can use, in agents and runs; null for all'
const VOICE =
  'Models that transcribe recordings and read answers aloud, and the voice. Their providers must have OpenAI’s audio API'
const VISION_MODEL =
  'Model that describes images for models that accept none; null for no descriptions. It must accept images itself'
const usual = (name: string) =>
  `Null for ${name} of the first provider of the kind \`openai\`, if there is one`
const VOICE_NAME = `Voice that the speech model knows; null for ${USUAL_VOICE.voiceName}`
const EMBEDDINGS =
  'Model that turns passages and questions into vectors, so that agents also find other words with the same meaning'
const EMBEDDINGS_MODEL =
  'Null for the server’s own model, if the operator set one. Passages are embedded in the background; until all are, the former model serves'
const voiceFields = <M extends z.ZodType, N extends z.ZodType>(model: M, name: N) => ({
  transcription: model.describe(usual(USUAL_VOICE.transcription)),
  speech: model.describe(usual(USUAL_VOICE.speech)),
  voiceName: name.describe(VOICE_NAME),
})

export const OrgSettings = z.object({
  defaultModel: z.string().nullable().describe(DEFAULT_MODEL),
  defaultBudgets: z.object(byScope(DefaultBudget)).describe(BUDGETS),
  runEventDays: z.int().describe(DAYS),
  approvals: z.object(byRisk(ApprovalRule)).describe(APPROVALS),
  models: z.object(byRole(z.array(z.string()).nullable())).describe(MODELS),
  voice: z.object(voiceFields(z.string().nullable(), z.string().nullable())).describe(VOICE),
  visionModel: z.string().nullable().describe(VISION_MODEL),
  embeddings: z.object({ model: z.string().nullable().describe(EMBEDDINGS_MODEL) }).describe(EMBEDDINGS),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
})

const AREA = 'Access to the organization settings'

export const orgSettings = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/org/settings',
    summary: 'Get agent settings',
    description: 'The organization’s defaults and rules for models, budgets, approvals and retention.',
    access: member(),
    output: OrgSettings,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/org/settings',
    summary: 'Change agent settings',
    description:
      'Changes only the settings in the body; scopes, risks and roles can be changed individually, as can the parts of `voice`. The settings apply to every run’s next model call.',
    access: steppedUp(AREA, { role: 'admin' }),
    body: z
      .object({
        defaultModel: Model.nullable().describe(DEFAULT_MODEL),
        defaultBudgets: z.strictObject(byScope(DefaultBudget.optional())).describe(BUDGETS),
        runEventDays: z
          .int()
          .min(EVENT_DAYS.min, `must be at least ${EVENT_DAYS.min}`)
          .max(EVENT_DAYS.max, `must be at most ${EVENT_DAYS.max}`)
          .describe(DAYS),
        approvals: z.strictObject(byRisk(ApprovalRule.optional())).describe(APPROVALS),
        models: z.strictObject(byRole(ModelRules.optional())).describe(MODELS),
        voice: z
          .strictObject(
            voiceFields(
              Model.nullable().optional(),
              text(1, VOICE_NAME_CHARACTERS_MAX).nullable().optional(),
            ),
          )
          .describe(VOICE),
        visionModel: Model.nullable().describe(VISION_MODEL),
        embeddings: z
          .strictObject({ model: Model.nullable().describe(EMBEDDINGS_MODEL) })
          .describe(EMBEDDINGS),
      })
      .partial(),
    output: OrgSettings,
  }),
}
