import type { AgentVersion } from '../../../../api/agents.ts'
import { labelOf } from '../../../../api/explain.ts'
import { changedLines } from './changed-lines.ts'
import { changedValues } from './changed-values.ts'

/** A changed setting: the lines of a text, or the value before and after. */
export function SettingChange({ field, before, after }: AgentVersion['changes'][number]) {
  const isText = field === 'prompt' || field === 'description'
  const { removed, added } = isText
    ? changedLines(textOf(before), textOf(after))
    : changedValues(field, before, after)
  return (
    <div className="min-w-0">
      <dt className="text-12 text-neutral-11">{labelOf(field)}</dt>
      <dd className="wrap-anywhere mt-4 overflow-hidden rounded-control border border-neutral-6 font-mono text-12">
        {removed.length > 0 && (
          <del className="block whitespace-pre-wrap bg-bad-wash px-8 text-bad-text no-underline">
            {prefixLines('−', removed)}
          </del>
        )}
        {added.length > 0 && (
          <ins className="block whitespace-pre-wrap bg-good-wash px-8 text-good-text no-underline">
            {prefixLines('+', added)}
          </ins>
        )}
      </dd>
    </div>
  )
}

const prefixLines = (sign: string, lines: string[]) => lines.map((line) => `${sign} ${line}`).join('\n')

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
