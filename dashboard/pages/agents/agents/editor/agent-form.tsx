import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../../../../../contract/text.ts'
import type { Agent } from '../../../../api/agents.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { UnsavedEdits } from '../../../../components/dialogs/unsaved-edits.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { AgentHeading } from '../agent-heading.tsx'
import type { Draft } from './draft.ts'
import { EDITOR_TABS, type EditorTab, EditorTabs, TAB_FIELDS } from './editor-tabs.tsx'
import { InstructionsTab } from './instructions-tab.tsx'
import { LimitsTab } from './limits-tab.tsx'
import { ResultTab, schemaError } from './result-tab.tsx'
import { SafetyTab } from './safety-tab.tsx'
import { ToolsTab } from './tools-tab.tsx'

interface AgentFormProps {
  /** Undefined for a new agent. */
  agent?: Agent
  draft: Draft
  update: (change: Partial<Draft>) => void
  tab: EditorTab
  isChanged: boolean
  save: { error: unknown; isPending: boolean; run: () => void }
  onDiscard: () => void
  disabled?: boolean
}

/** The form that the buttons in the page's bar submit. */
export const AGENT_FORM = 'agent'

export function AgentForm(props: AgentFormProps) {
  const { agent, draft, update, tab, isChanged, save, onDiscard, disabled } = props
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const fields = { draft, update, errorOf }
  const warnings = agent?.warnings ?? []
  useTabOfError(save.error, tab)
  return (
    <form
      id={AGENT_FORM}
      aria-label="Agent"
      className="min-h-full"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.run()
      }}
    >
      <fieldset disabled={disabled} className="min-w-0">
        <AgentHeading agent={agent} {...fields} />
        <div className="sticky top-0 z-10 bg-page">
          <EditorTabs draft={draft} />
        </div>
        <div className="flex max-w-reading flex-col gap-24 px-16 pt-24 pb-48 md:px-24">
          <FormFailure>{failureMessage(save.error)}</FormFailure>
          {tab === 'instructions' && <InstructionsTab {...fields} warnings={warnings} disabled={disabled} />}
          {tab === 'tools' && <ToolsTab {...fields} warnings={warnings} />}
          {tab === 'result' && <ResultTab {...fields} serverError={schemaError(save.error)} />}
          {tab === 'safety' && <SafetyTab {...fields} />}
          {tab === 'limits' && <LimitsTab {...fields} />}
        </div>
      </fieldset>
      <UnsavedEdits isChanged={isChanged && !save.isPending} />
      {!disabled && (isChanged || !agent) && (
        <div className="sticky bottom-0 z-10 flex items-center justify-end gap-8 border-neutral-6 border-t bg-page px-16 py-8 sm:hidden">
          <SaveButtons agent={agent} isPending={save.isPending} onDiscard={onDiscard} />
        </div>
      )}
    </form>
  )
}

interface SaveButtonsProps {
  agent: Agent | undefined
  isPending: boolean
  onDiscard: () => void
}

/** In the page's bar, or on phones below the form. */
export const SaveButtons = ({ agent, isPending, onDiscard }: SaveButtonsProps) => (
  <>
    <Button onClick={onDiscard}>{agent ? t`Discard` : t`Cancel`}</Button>
    <Button look="primary" type="submit" form={AGENT_FORM} busy={isPending}>
      {agent ? t`Publish version ${agent.version + 1}` : t`Create agent`}
    </Button>
  </>
)

/** Shows the tab of the setting that the server refused. */
function useTabOfError(error: unknown, current: EditorTab) {
  const navigate = useNavigate()
  const hasError = (tab: EditorTab) =>
    TAB_FIELDS[tab].some((field) => fieldMessage(error, field)) ||
    (tab === 'result' && schemaError(error) !== undefined)
  const target = hasError(current) ? current : (EDITOR_TABS.find(hasError) ?? current)
  const showTarget = useEffectEvent(() => {
    if (target === current) return
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, tab: target }),
      replace: true,
      ignoreBlocker: true,
    })
  })
  // Only a new error moves to another tab.
  useEffect(() => {
    if (error) showTarget()
  }, [error])
}
