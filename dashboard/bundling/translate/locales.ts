import { nameOf } from './positions.ts'
import { childrenOf, type Node, parseModule } from './syntax.ts'

const FUNCTIONS =
  /^(toLocaleString|toLocaleDateString|toLocaleTimeString|localeCompare|DateTimeFormat|NumberFormat|ListFormat|RelativeTimeFormat|DisplayNames|PluralRules|Collator)$/
const ENGLISH = /^en(-US|-GB)?$/

/** Where a module formats numbers, times and lists in English: `toLocaleString('en')`. */
export function findLocales(file: string, code: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  walk(parseModule(file, code))
  return ranges

  function walk(node: Node): void {
    if (/^(Call|New)Expression$/.test(node.type) && FUNCTIONS.test(nameOf(node.callee as Node))) {
      for (const { value, start, end } of node.arguments as Node[])
        if (typeof value === 'string' && ENGLISH.test(value)) ranges.push({ start, end })
    }
    for (const [child] of childrenOf(node)) walk(child)
  }
}
