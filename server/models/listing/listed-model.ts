import type { UnitPrices } from '../prices.ts'

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'file'

/** A model as a provider lists it; null where the list has no value. */
export interface ListedModel {
  id: string
  name: string | null
  contextWindow: number | null
  maxOutput: number | null
  input: Modality[] | null
  output: Modality[] | null
  tools: boolean | null
  reasoning: boolean | null
  prices: UnitPrices | null
  /** Unix time in seconds. */
  created: number | null
}

export const listedModel = (id: string, properties: Partial<ListedModel> = {}): ListedModel => ({
  id,
  name: null,
  contextWindow: null,
  maxOutput: null,
  input: null,
  output: null,
  tools: null,
  reasoning: null,
  prices: null,
  created: null,
  ...properties,
})
