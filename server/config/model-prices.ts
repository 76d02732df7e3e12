import { z } from 'zod'

const RULE = 'must be a number of US dollars per million tokens, 0 or more'
const price = z.number({ error: RULE }).min(0, RULE).max(1_000_000, RULE)

const Prices = z.record(
  z.string().regex(/^[^/\s]+\/\S+$/, 'must be a model such as openai/gpt-5, or openai/*'),
  z.strictObject({
    input: price,
    output: price,
    cacheRead: price.optional(),
    cacheWrite: price.optional(),
  }),
)

/** Prices by model id, or by `provider/*`, in US dollars per million tokens. */
export type OperatorPrices = Readonly<z.output<typeof Prices>>

/** `{"openai/gpt-5":{"input":1.25,"output":10,"cacheRead":0.125}}` */
export const modelPrices = z
  .string()
  .optional()
  .transform((text, check): OperatorPrices => {
    const parsed = Prices.safeParse(parseJson(text ?? '{}'))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const where = issue!.path.length > 0 ? `at ${issue!.path.join(' → ')} ` : ''
    check.addIssue({ code: 'custom', message: `must be JSON of prices: ${where}${issue!.message}` })
    return z.NEVER
  })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
