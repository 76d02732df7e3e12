import { z } from 'zod'

/** This server's own accounts, usable by every organization. */
export interface TelephonyConfig {
  twilio: { accountSid: string; authToken: string } | null
  elevenlabs: { apiKey: string | null; webhookSecret: string | null }
  openaiWebhookSecret: string | null
}

export const telephonyVariables = {
  ATRIUM_TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits')
    .optional(),
  ATRIUM_TWILIO_AUTH_TOKEN: z.string().min(8, 'must be at least 8 characters').optional(),
  ATRIUM_ELEVENLABS_API_KEY: z.string().min(8, 'must be at least 8 characters').optional(),
  ATRIUM_ELEVENLABS_WEBHOOK_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),
  ATRIUM_OPENAI_WEBHOOK_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),
}

type Variables = { [Name in keyof typeof telephonyVariables]?: string | undefined }

/** If only one Twilio variable is set. */
export function missingTelephonyVariable(env: Variables): keyof Variables | undefined {
  if (!env.ATRIUM_TWILIO_ACCOUNT_SID === !env.ATRIUM_TWILIO_AUTH_TOKEN) return undefined
  return env.ATRIUM_TWILIO_ACCOUNT_SID ? 'ATRIUM_TWILIO_AUTH_TOKEN' : 'ATRIUM_TWILIO_ACCOUNT_SID'
}

export function readTelephonyConfig(env: Variables): TelephonyConfig {
  const { ATRIUM_TWILIO_ACCOUNT_SID: accountSid, ATRIUM_TWILIO_AUTH_TOKEN: authToken } = env
  return {
    twilio: accountSid && authToken ? { accountSid, authToken } : null,
    elevenlabs: {
      apiKey: env.ATRIUM_ELEVENLABS_API_KEY ?? null,
      webhookSecret: env.ATRIUM_ELEVENLABS_WEBHOOK_SECRET ?? null,
    },
    openaiWebhookSecret: env.ATRIUM_OPENAI_WEBHOOK_SECRET ?? null,
  }
}
