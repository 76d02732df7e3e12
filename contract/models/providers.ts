import { t } from '../text.ts'

/** Plain data without schemas, for the server, the dashboard and the CLI. */
export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const

export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** Null if the organization must enter one. */
export const DEFAULT_URLS: Record<ProviderKind, string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
}

/** Model servers at their usual addresses on the server's own machine. Exactly these are searched. */
export const LOCAL_SERVERS = [
  { id: 'ollama', name: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
  { id: 'lm-studio', name: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
  { id: 'llama-cpp', name: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
  { id: 'vllm', name: 'vLLM', url: 'http://127.0.0.1:8000/v1' },
] as const

export interface ProviderPreset {
  id: string
  name: string
  kind: ProviderKind
  url: string
  keyUrl?: string
  hint?: string
}

const PRIVATE_HINT = t`For a server on a private network, the operator must set \`ATRIUM_ALLOW_PRIVATE_TARGETS\`.`

export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    kind: 'openai',
    url: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    kind: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    keyUrl: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'google',
    name: 'Google',
    kind: 'google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyUrl: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'groq',
    name: 'Groq',
    kind: 'openai-compatible',
    url: 'https://api.groq.com/openai/v1',
    keyUrl: 'https://console.groq.com/keys',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    kind: 'openai-compatible',
    url: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/settings/keys',
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    kind: 'openai-compatible',
    url: 'https://<resource>.openai.azure.com/openai/v1',
    hint: t`Enter your deployment names as models.`,
  },
  { id: 'vllm', name: 'vLLM', kind: 'openai-compatible', url: 'http://<host>:8000/v1', hint: PRIVATE_HINT },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    kind: 'openai-compatible',
    url: 'http://<host>:1234/v1',
    hint: PRIVATE_HINT,
  },
  {
    id: 'ollama',
    name: 'Ollama',
    kind: 'openai-compatible',
    url: 'http://<host>:11434/v1',
    hint: t`Atrium finds Ollama on this server’s machine automatically. ${PRIVATE_HINT}`,
  },
]
