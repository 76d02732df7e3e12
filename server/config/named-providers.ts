import { StartupError } from '../startup/startup-error.ts'
import type { ConfiguredProvider } from './configured-provider.ts'
import { optionalBaseUrl } from './fields.ts'

const VARIABLE = /^ATRIUM_PROVIDER_([A-Z0-9][A-Z0-9_]*?)_(URL|API_KEY|MODELS)$/
/** Ids with a meaning of their own. */
const RESERVED = ['openai', 'anthropic', 'google', 'ollama', 'test']

export const isNamedProviderVariable = (variable: string) => VARIABLE.test(variable)

/** `ATRIUM_PROVIDER_GROQ_URL` and so on: any number of servers with an OpenAI-compatible API. */
export function namedProvidersOf(variables: Record<string, string>): ConfiguredProvider[] {
  const names = new Set(
    Object.keys(variables).flatMap((variable) => VARIABLE.exec(variable)?.slice(1, 2) ?? []),
  )
  return [...names].sort().map((name) => namedProviderOf(name, variables))
}

function namedProviderOf(name: string, variables: Record<string, string>): ConfiguredProvider {
  const prefix = `ATRIUM_PROVIDER_${name}`
  const id = name.toLowerCase().replaceAll('_', '-')
  if (RESERVED.includes(id)) throw new StartupError(`${prefix}_URL must have another name: ${id} is reserved`)
  const url = optionalBaseUrl.safeParse(variables[`${prefix}_URL`])
  if (!url.success) throw new StartupError(`${prefix}_URL ${url.error.issues[0]!.message}`)
  if (!url.data) throw new StartupError(`${prefix}_URL is missing: a provider needs the base URL of its API`)
  return {
    id,
    kind: 'openai-compatible',
    name: name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' '),
    url: url.data,
    apiKey: variables[`${prefix}_API_KEY`] ?? null,
    models: (variables[`${prefix}_MODELS`] ?? '').split(/[\s,]+/).filter(Boolean),
    namingModel: null,
  }
}
