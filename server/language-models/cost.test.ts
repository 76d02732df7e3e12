import { describe, expect, test } from 'vitest'
import { priceUsage, toTokenUsage } from './cost.ts'
import { loadPriceTable, operatorPricing, type Pricing } from './prices.ts'
import type { ModelProvider } from './provider.ts'

const pricing: Pricing = {
  currency: 'USD',
  input: 3,
  output: 15,
  cacheRead: 0.3,
  cacheWrite: null,
  tiers: [{ above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: null }],
  source: 'table',
}
const usage = { input: 1000, output: 100, cacheRead: 200, cacheWrite: 0 }

describe('call cost', () => {
  test('is exact and counts cached input once', () =>
    expect(priceUsage(pricing, usage)).toEqual({
      amount: '0.003960000000',
      unitPrices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: null },
      source: 'table',
    }))

  test('uses the input price if cached input has no price', () =>
    expect(priceUsage(pricing, { input: 10, output: 0, cacheRead: 0, cacheWrite: 10 }).amount).toBe(
      '0.000030000000',
    ))

  test.each([
    [200_000, '0.600000000000'],
    [200_001, '1.200006000000'],
  ])("applies the whole input's tier to %i tokens", (input, amount) =>
    expect(priceUsage(pricing, { input, output: 0, cacheRead: 0, cacheWrite: 0 }).amount).toBe(amount),
  )

  test('is exact where floating-point numbers are not', () => {
    const cheap = { ...pricing, input: 0.1, output: 0.2, tiers: [] }
    expect(priceUsage(cheap, { input: 3, output: 3, cacheRead: 0, cacheWrite: 0 }).amount).toBe(
      '0.000000900000',
    )
  })

  test('never counts more cached tokens than there are', () =>
    expect(priceUsage(pricing, { input: 10, output: 0, cacheRead: 50, cacheWrite: 50 }).amount).toBe(
      '0.000003000000',
    ))
})

describe('call usage', () => {
  const usageWith = (input: number | undefined, output: number | undefined) =>
    toTokenUsage({
      inputTokens: { total: input, cacheRead: 3, cacheWrite: 2 },
      outputTokens: { total: output, reasoning: 1 },
    })
  test("is read from the SDK's counts", () =>
    expect(usageWith(10, 4)).toEqual({
      input: 10,
      output: 4,
      cacheRead: 3,
      cacheWrite: 2,
      reasoning: 1,
    }))

  test('is unknown if the provider sends no counts, and never negative', () => {
    expect(usageWith(undefined, 4)).toBeNull()
    expect(usageWith(-1, Number.NaN)).toMatchObject({ input: 0, output: 0 })
  })
})

describe('prices', () => {
  const provider = (kind: ModelProvider['kind'], url = 'http://localhost/v1'): ModelProvider => ({
    id: 'openai',
    kind,
    name: 'x',
    url,
    apiKey: null,
    models: [],
    source: 'environment',
    cacheKey: 'x',
  })

  test('apply to one model or a whole provider if the operator sets them', () => {
    const prices = { 'a/one': { input: 1, output: 2 }, 'a/*': { input: 3, output: 4, cacheRead: 1 } }
    expect(operatorPricing(prices, 'a', 'one')).toMatchObject({
      input: 1,
      cacheRead: null,
      source: 'operator',
    })
    expect(operatorPricing(prices, 'a', 'two')).toMatchObject({ input: 3, cacheRead: 1 })
    expect(operatorPricing(prices, 'b', 'one')).toBeNull()
  })

  test('come from the table for vendors and for servers with a listed URL', async () => {
    const lookUp = await loadPriceTable()
    const at = new Date('2026-11-01')
    expect(lookUp(provider('openai'), 'gpt-4.1-mini', at)).toMatchObject({
      contextWindow: 1_000_000,
      pricing: { input: 0.4, output: 1.6, cacheRead: 0.1, cacheWrite: null, tiers: [], source: 'table' },
    })
    expect(lookUp(provider('anthropic'), 'claude-sonnet-4-5', at)?.pricing?.tiers).toMatchObject([
      { above: 200_000 },
    ])
    const groq = provider('openai-compatible', 'https://api.groq.com/openai/v1')
    expect(lookUp(groq, 'llama-3.3-70b-versatile', at)?.pricing).toMatchObject({ input: 0.59, output: 0.79 })
  })

  test('are unknown for another server, with any id and model names', async () => {
    const lookUp = await loadPriceTable()
    expect(lookUp(provider('openai-compatible'), 'gpt-4.1-mini', new Date())).toBeNull()
    expect(lookUp(provider('anthropic'), 'no-such-model', new Date())).toBeNull()
  })
})
