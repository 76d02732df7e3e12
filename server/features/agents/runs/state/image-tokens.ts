import type { ModelProvider } from '../../../../language-models/provider.ts'

export interface ImageInput {
  kind: ModelProvider['kind'] | 'test'
  /** Otherwise a description or a line takes an image's place. */
  isAccepted: boolean
  /** By the vision model. */
  isDescribed: boolean
}

export interface ImageSize {
  width?: number
  height?: number
}

/** Without a size, the largest that is sent. */
const SIDE_MAX = 1568
/** The longest description, with its fence. */
const DESCRIPTION_TOKENS = 1100

/** By each provider's own formula, rounded up. */
export function imageTokens(
  { width = SIDE_MAX, height = SIDE_MAX }: ImageSize,
  { kind, isAccepted, isDescribed }: ImageInput,
): number {
  if (!isAccepted) return isDescribed ? DESCRIPTION_TOKENS : 0
  const tiles = (side: number) => Math.ceil(width / side) * Math.ceil(height / side)
  // Newer models count patches, at most 1,536 of them, times up to 1.62.
  if (kind === 'openai') return Math.max(85 + 170 * tiles(512), Math.ceil(Math.min(tiles(32), 1536) * 1.62))
  if (kind === 'google') return 258 * tiles(768)
  return Math.ceil((width * height) / 750)
}
