import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { text } from '../fields.ts'
import { currencyDecimals, PAYMENT_LIMITS } from './payment-options.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

export const Currency = z
  .string()
  .toLowerCase()
  .refine((code) => CURRENCIES.has(code), 'must be an ISO 4217 code, such as usd')
  .meta({ examples: ['usd'] })

/** A decimal string, because a double would lose precision. */
export const Amount = z
  .string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string, such as "12.50"'),
  })
  .regex(/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,3})?$/, {
    error: 'must be a decimal from 0.01 to 999999999.99, such as "12.50"',
    abort: true,
  })
  .refine((amount) => /[1-9]/.test(amount), 'must be greater than 0')
  .meta({ examples: ['12.50'] })

export function checkDecimals(
  currency: string,
  amounts: Record<string, string | null | undefined>,
  report: (issue: { code: 'custom'; path: string[]; message: string }) => void,
): void {
  const decimals = currencyDecimals(currency)
  for (const [field, amount] of Object.entries(amounts)) {
    if ((amount?.split('.')[1]?.length ?? 0) <= decimals) continue
    const message = decimals === 0 ? 'must have no decimals' : `must have at most ${decimals} decimals`
    report({ code: 'custom', path: [field], message: `${message} in ${currency}` })
  }
}

const WebUrl = text(1, PAYMENT_LIMITS.url).refine((value) => {
  const protocol = URL.canParse(value) ? new URL(value).protocol : null
  return protocol === 'https:' || protocol === 'http:'
}, 'must be a URL that begins with https:// or http://')

export const PayeeInput = z
  .strictObject({
    name: displayName(1, PAYMENT_LIMITS.payeeName).meta({ examples: ['Example Data Inc.'] }),
    url: WebUrl.optional().meta({ examples: ['https://data.example.com'] }),
    account: text(1, PAYMENT_LIMITS.payeeAccount)
      .optional()
      .describe('Payee’s account at the provider; for Stripe a connected account, `acct_…`')
      .meta({ examples: ['acct_1Pgc1k2eZvKYlo2C'] }),
  })
  .describe(
    'A mandate identifies the payee by `account`, otherwise by the host of `url`, otherwise by `name`',
  )
