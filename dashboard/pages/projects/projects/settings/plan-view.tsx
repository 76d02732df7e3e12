import { ChevronRight, type LucideIcon, Minus, Pencil, Plus, TriangleAlert } from 'lucide-react'
import type { z } from 'zod'
import type { RestorePlan } from '../../../../../contract/projects/project-export.ts'

export type Plan = z.output<typeof RestorePlan>
type Item = Plan['create'][number]

const SHOWN_MAX = 100

/** The planned changes of a restore, grouped and collapsible. */
export function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="flex flex-col">
      {countChanges(plan) === 0 && <p className="pb-8">No changes: the project matches the manifest.</p>}
      <Section icon={Plus} tone="text-good-text" label="Created" items={plan.create} />
      <Section icon={Pencil} tone="text-info-text" label="Changed" items={plan.update} />
      <Section icon={Minus} tone="text-bad-text" label="Removed" items={plan.delete} />
      <p className="border-neutral-6 border-t py-8 text-13 text-neutral-11">
        {plan.unchanged.toLocaleString('en')} unchanged
      </p>
      {plan.missingFiles.length > 0 && (
        <div className="mt-8 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          <p className="flex items-center gap-8 font-medium">
            <TriangleAlert aria-hidden className="icon" />
            {plan.missingFiles.length === 1
              ? '1 file is missing'
              : `${plan.missingFiles.length} files are missing`}
          </p>
          <p>Upload the missing files to the project first, or continue without them.</p>
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

export const countChanges = (plan: Plan) => plan.create.length + plan.update.length + plan.delete.length

interface SectionProps {
  icon: LucideIcon
  tone: string
  label: string
  items: Item[]
}

function Section({ icon: Icon, tone, label, items }: SectionProps) {
  if (items.length === 0) return null
  const hiddenCount = items.length - SHOWN_MAX
  return (
    <details className="group border-neutral-6 border-t" open={items.length <= 5}>
      <summary className="flex h-row items-center gap-8 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-11 transition-transform group-open:rotate-90"
        />
        <Icon aria-hidden className={`icon ${tone}`} />
        <span className="font-medium">{label}</span>
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
        {hiddenCount > 0 && <li className="text-neutral-11">and {hiddenCount.toLocaleString('en')} more</li>}
      </ul>
    </details>
  )
}

const KINDS: Record<Item['kind'], string> = {
  project: 'settings',
  block: 'block',
  edge: 'connection',
  file: 'file',
  memory: 'memory',
}
