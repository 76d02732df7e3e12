import type { ModelProvider } from '../provider.ts'

/** Other providers have no audio. */
export const hasAudio = ({ kind }: Pick<ModelProvider, 'kind'>): boolean =>
  kind === 'openai' || kind === 'openai-compatible'
