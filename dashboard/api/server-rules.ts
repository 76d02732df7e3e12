import { t } from '../../contract/text.ts'

interface Rule {
  pattern: RegExp
  /** Beside the field, which has its own label. */
  render: (...parts: string[]) => string
}

const AMOUNT = () => t`Enter an amount such as 2.50.`
const URL_RULE = () => t`Enter a full URL that starts with https:// or http://.`

/** Rules that the server states in English without the field's name. */
const RULES: Rule[] = [
  { pattern: /^must be a public URL$/, render: () => t`Enter a URL that can be reached from the internet.` },
  {
    pattern: /^must be a provider and a model, such as /,
    render: () => t`Enter the provider’s ID, a slash and the model’s name.`,
  },
  { pattern: /^is required$/, render: () => t`Fill in this field.` },
  { pattern: /^must be a decimal /, render: AMOUNT },
  { pattern: /^must be a URL( that begins with https:\/\/ or http:\/\/)?$/, render: URL_RULE },
  {
    pattern: /^must be an email address$/,
    render: () => t`Enter an email address, such as ada@example.com.`,
  },
  { pattern: /^must be in the future$/, render: () => t`Choose a time in the future.` },
  { pattern: /^must be at least (\d+)$/, render: (min) => t`Enter ${min!} or more.` },
  { pattern: /^must be at most (\d+)$/, render: (max) => t`Enter ${max!} or less.` },
  { pattern: /^must be at least (\d+) characters$/, render: (min) => t`Enter at least ${min!} characters.` },
  { pattern: /^must be at most (\d+) characters$/, render: (max) => t`Enter at most ${max!} characters.` },
  {
    pattern: /^must be (\d+) to (\d+) characters$/,
    render: (min, max) => t`Enter ${min!} to ${max!} characters.`,
  },
  {
    pattern: /^must be a phone number with its country code, such as (\+\d+)$/,
    render: (number) => t`Enter a phone number with its country code, such as ${number!}.`,
  },
]

/** Undefined for a rule without a text of its own. */
export function localizeRule(rule: string): string | undefined {
  for (const { pattern, render } of RULES) {
    const match = pattern.exec(rule)
    if (match) return render(...match.slice(1))
  }
  return undefined
}
