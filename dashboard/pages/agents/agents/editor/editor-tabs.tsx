import { Link } from '@tanstack/react-router'
import { AGENT_TOOL_NAMES } from '../../../../../contract/agents/agent-options.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { TAB, TabRow } from '../../../../components/layout/tabs.tsx'
import type { Draft } from './draft.ts'

export const EDITOR_TABS = ['instructions', 'tools', 'result', 'safety', 'limits'] as const
export type EditorTab = (typeof EDITOR_TABS)[number]

export const toEditorTab = (value: string | undefined): EditorTab =>
  EDITOR_TABS.find((tab) => tab === value) ?? 'instructions'

/** Paths of the settings on each tab. */
export const TAB_FIELDS: Record<EditorTab, string[]> = {
  instructions: ['model', 'fallbackModels', 'reasoning', 'prompt'],
  tools: [
    'tools',
    'web',
    'web.allowedDomains',
    'web.deniedDomains',
    'knowledge',
    'skills',
    'mcpServers',
    'allowedConnectors',
  ],
  result: ['outputSchema'],
  safety: ['approvals', 'guardrails'],
  limits: ['maxSteps', 'maxMinutes', 'budget', 'budget.amount'],
}

const LABELS: Record<EditorTab, string> = {
  instructions: t`Instructions`,
  tools: t`Tools`,
  result: t`Result`,
  safety: t`Safety`,
  limits: t`Limits`,
}

export const EditorTabs = ({ draft }: { draft: Draft }) => (
  <TabRow label="Settings">
    {EDITOR_TABS.map((tab) => {
      const count = countOf(tab, draft)
      return (
        <Link
          key={tab}
          to="."
          search={(previous) => ({ ...previous, tab: tab === 'instructions' ? undefined : tab })}
          ignoreBlocker
          replace
          activeOptions={{ exact: true, includeSearch: true }}
          className={TAB}
        >
          {LABELS[tab]}
          {count > 0 && <span className="text-neutral-11 tabular-nums">{count.toLocaleString(LOCALE)}</span>}
        </Link>
      )
    })}
  </TabRow>
)

function countOf(tab: EditorTab, draft: Draft): number {
  const { tools, allowedConnectors, mcpServers, skills, knowledge, approvals, guardrails } = draft
  if (tab === 'tools') {
    const builtIn = AGENT_TOOL_NAMES.filter((name) => tools[name]).length
    return builtIn + allowedConnectors.length + mcpServers.length + skills.length + knowledge.length
  }
  return tab === 'safety' ? Object.keys(approvals).length + guardrails.length : 0
}
