import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CirclePause, CircleX, type LucideIcon } from 'lucide-react'
import { t } from '../../../../../contract/text.ts'
import { connectorsQuery } from '../../../../api/connections.ts'
import type { Draft } from '../editor/draft.ts'
import { type Allowance, toAllowances } from './allowances.ts'

const KINDS: Record<Allowance['kind'], { label: string; icon: LucideIcon; tone: string }> = {
  may: { label: t`By itself`, icon: CircleCheck, tone: 'text-good-text' },
  asks: { label: t`Only after you approve`, icon: CirclePause, tone: 'text-warning-text' },
  never: { label: t`Never`, icon: CircleX, tone: 'text-bad-text' },
}

export function AllowanceList({ draft }: { draft: Draft }) {
  const connectors = useQuery(connectorsQuery).data?.items ?? []
  const allowances = toAllowances(draft, new Map(connectors.map(({ slug, name }) => [slug, name])))
  return (
    <div className="flex flex-col gap-16">
      {(['may', 'asks', 'never'] as const).map((kind) => {
        const own = allowances.filter((each) => each.kind === kind)
        if (own.length === 0) return null
        const { label, icon: Icon, tone } = KINDS[kind]
        return (
          <section key={kind} aria-label={label} className="flex flex-col gap-4">
            <h4 className="text-12 text-neutral-11">{label}</h4>
            <ul className="flex flex-col gap-4">
              {own.map(({ name, text }) => (
                <li key={name} className="flex items-start gap-8 text-13">
                  <Icon aria-hidden className={`mt-2 icon shrink-0 ${tone}`} />
                  {text}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
