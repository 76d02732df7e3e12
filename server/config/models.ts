import { z } from 'zod'
import type { ConfiguredProvider } from './configured-provider.ts'
import { optionalBaseUrl } from './fields.ts'
import { modelPrices, type OperatorPrices } from './model-prices.ts'
import { modelProvidersOf, vendorVariables } from './model-providers.ts'

export interface ModelsConfig {
  providers: ConfiguredProvider[]
  /** Null switches the detection off. `isExplicit`: the operator set the URL, so its failures are shown. */
  ollama: { url: string; isExplicit: boolean } | null
  prices: OperatorPrices
  /** Whether `test/echo` and `test/script` exist. */
  testModels: boolean
}

const OLLAMA_URL = 'http://127.0.0.1:11434'

/** Part of the schema of the environment. */
export const modelVariables = {
  ...vendorVariables,
  ATRIUM_OLLAMA_URL: z.union([z.literal('off'), optionalBaseUrl], {
    error: 'must be off, or a URL that begins with https:// or http://',
  }),
  ATRIUM_MODEL_PRICES: modelPrices,
  ATRIUM_TEST_MODELS: z.enum(['0', '1'], { error: 'must be 0 or 1' }).optional(),
}

type Variables = Parameters<typeof modelProvidersOf>[0] & {
  ATRIUM_OLLAMA_URL?: string | undefined
  ATRIUM_MODEL_PRICES: OperatorPrices
  ATRIUM_TEST_MODELS?: '0' | '1' | undefined
  NODE_ENV: string
}

export function modelsConfigOf(env: Variables, variables: Record<string, string>): ModelsConfig {
  const { ATRIUM_OLLAMA_URL: ollama, ATRIUM_TEST_MODELS: testModels } = env
  return {
    providers: modelProvidersOf(env, variables),
    ollama: ollama === 'off' ? null : { url: ollama ?? OLLAMA_URL, isExplicit: ollama !== undefined },
    prices: env.ATRIUM_MODEL_PRICES,
    testModels: testModels ? testModels === '1' : env.NODE_ENV !== 'production',
  }
}
