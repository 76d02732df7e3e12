import { t } from '../../../../../contract/text.ts'
import type { AgentStep } from '../../../../api/runs.ts'
import { formatCost } from '../../../../components/amounts.ts'

type Descriptions = AgentStep['descriptions']

/** What the vision model did for the step's model, one line for each that was asked. */
export function ImageDescriptions({ descriptions }: { descriptions: Descriptions }) {
  if (descriptions.length === 0) return null
  return (
    <ul className="px-16 pb-8 pl-40 text-12 text-neutral-11 tabular-nums md:pl-48">
      {[...Map.groupBy(descriptions, ({ model }) => model)].map(([model, described]) => (
        <li key={model} className="wrap-anywhere">
          {described.length === 1 ? t`Image described` : t`${described.length} images described`}
          {' · '}
          <bdi>{model}</bdi>
          {' · '}
          {costOf(described)}
        </li>
      ))}
    </ul>
  )
}

function costOf(described: Descriptions): string {
  const costs = described.flatMap(({ cost }) => cost ?? [])
  if (costs.length === 0) return t`no known price`
  return formatCost({ amount: String(costs.reduce((sum, { amount }) => sum + Number(amount), 0)) })
}
