import type { Connector } from '../../api/connections/connections.ts'
import { Status } from '../status.tsx'
import { riskOf } from './connection-labels.tsx'

/** The tools of a connector with the labels of their risks. */
export function ToolRisks({ tools, slug }: Pick<Connector, 'tools' | 'slug'>) {
  return (
    <ul className="border-neutral-6 border-t">
      {tools.map((tool) => {
        const { label, meaning } = riskOf(tool)
        return (
          <li key={tool.name} className="flex flex-col gap-4 border-neutral-6 border-b py-8">
            <div className="flex items-center justify-between gap-12">
              <span className="wrap-anywhere font-mono text-12">{withoutSlug(tool.name, slug)}</span>
              <Status meaning={meaning}>{label}</Status>
            </div>
            <p className="text-12 text-neutral-11">{tool.description}</p>
          </li>
        )
      })}
    </ul>
  )
}

/** `github_search_issues` is `search_issues` in the list of GitHub. */
const withoutSlug = (name: string, slug: string) => {
  const prefix = `${slug.replaceAll('-', '_')}_`
  return name.startsWith(prefix) ? name.slice(prefix.length) : name.replace(`${slug}_`, '')
}
