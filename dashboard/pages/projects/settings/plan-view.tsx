import { ChevronRight, type LucideIcon, Minus, Pencil, Plus, TriangleAlert } from 'lucide-react'
import type { z } from 'zod'
import type { RestorePlan } from '../../../../contract/projects/project-export.ts'

export type Plan = z.output<typeof RestorePlan>
type Item = Plan['create'][number]

const SHOWN_MAX = 100

/** What would be done, kind by kind, each folded under its number. */
export function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="flex flex-col">
      {changesIn(plan) === 0 && (
        <p className="pb-8">Nothing would change: the project is as the manifest says.</p>
      )}
      <Part icon={Plus} tone="text-good-text" word="Created" items={plan.create} />
      <Part icon={Pencil} tone="text-info-text" word="Changed" items={plan.update} />
      <Part icon={Minus} tone="text-bad-text" word="Removed" items={plan.delete} />
      <p className="border-neutral-6 border-t py-8 text-13 text-neutral-11">
        {plan.unchanged.toLocaleString('en')} unchanged
      </p>
      {plan.missingFiles.length > 0 && (
        <div className="mt-8 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          <p className="flex items-center gap-8 font-medium">
            <TriangleAlert aria-hidden className="icon" />
            {plan.missingFiles.length === 1
              ? 'The content of 1 file is nowhere here'
              : `The content of ${plan.missingFiles.length} files is nowhere here`}
          </p>
          <p>Upload them into the project first, or go on without them.</p>
          <ul className="mt-4 max-h-half list-disc overflow-y-auto pl-24">
            {plan.missingFiles.slice(0, SHOWN_MAX).map((file) => (
              <li key={file.id} className="break-all">
                {file.path}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

export const changesIn = (plan: Plan) => plan.create.length + plan.update.length + plan.delete.length

interface PartProps {
  icon: LucideIcon
  tone: string
  word: string
  items: Item[]
}

function Part({ icon: Icon, tone, word, items }: PartProps) {
  if (items.length === 0) return null
  const rest = items.length - SHOWN_MAX
  return (
    <details className="group border-neutral-6 border-t" open={items.length <= 5}>
      <summary className="flex h-row items-center gap-8 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-11 transition-transform group-open:rotate-90"
        />
        <Icon aria-hidden className={`icon ${tone}`} />
        <span className="font-medium">{word}</span>
        <span className="text-neutral-11 tabular-nums">{items.length.toLocaleString('en')}</span>
      </summary>
      <ul className="max-h-half overflow-y-auto pb-8 pl-48 text-13">
        {items.slice(0, SHOWN_MAX).map((item) => (
          <li key={`${item.kind} ${item.id}`} className="truncate py-px">
            {item.title ?? 'Untitled'}
            <span className="text-neutral-11">
              {' '}
              {KINDS[item.kind]}
              {item.fields && item.fields.length > 0 && `: ${item.fields.join(', ')}`}
            </span>
          </li>
        ))}
        {rest > 0 && <li className="text-neutral-11">and {rest.toLocaleString('en')} more</li>}
      </ul>
    </details>
  )
}

const KINDS: Record<Item['kind'], string> = {
  project: 'settings',
  block: 'block',
  edge: 'connection',
  file: 'file',
}
