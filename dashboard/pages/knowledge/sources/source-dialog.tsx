import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  SOURCE_INTERVALS,
  SOURCE_KIND_NAMES,
  SOURCE_KINDS,
  SOURCE_LIMITS,
  type SourceKind,
} from '../../../../contract/knowledge/source-options.ts'
import { t } from '../../../../contract/text.ts'
import { connectionsQuery } from '../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { readersQuery, refreshSources, type Source, sourceApi } from '../../../api/sources.ts'
import { Mark } from '../../../components/connectors/mark.tsx'
import { FormDialog, useSaveRecord } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { intervalLabel, readerLabel } from './source-labels.tsx'

type Settings = Record<string, string>

interface SettingField {
  name: string
  label: string
  placeholder: string
  hint?: string
  required?: true
}

const FIELDS: Record<SourceKind, readonly SettingField[]> = {
  github: [
    { name: 'repository', label: t`Repository`, placeholder: 'acme/handbook', required: true },
    { name: 'path', label: t`Folder (optional)`, placeholder: 'docs' },
    { name: 'branch', label: t`Branch (optional)`, placeholder: 'main' },
  ],
  website: [
    {
      name: 'url',
      label: t`Website or sitemap`,
      placeholder: 'https://docs.example.com',
      hint: t`Reads the pages in the site’s sitemap, as its robots.txt allows.`,
      required: true,
    },
    { name: 'path', label: t`Only pages below (optional)`, placeholder: '/guides/' },
  ],
  notion: [
    {
      name: 'pageId',
      label: t`Page ID (optional)`,
      placeholder: '1f0c9a2be54f80b5a1d6c7b1c2d3e4f5',
      hint: t`The last 32 digits of the page’s URL. Without it, everything that the connection may read.`,
    },
  ],
  google_drive: [
    {
      name: 'folderId',
      label: t`Folder ID`,
      placeholder: '1AbCdEfGhIjKlMnOp',
      hint: t`The last part of the folder’s URL.`,
      required: true,
    },
  ],
  dropbox: [
    {
      name: 'path',
      label: t`Folder (optional)`,
      placeholder: '/Handbook',
      hint: t`Without it, the whole account.`,
    },
  ],
  confluence: [{ name: 'spaceKey', label: t`Space key`, placeholder: 'DOCS', required: true }],
  sharepoint: [
    {
      name: 'url',
      label: t`Link to the folder`,
      placeholder: 'https://acme.sharepoint.com/:f:/s/Team/…',
      hint: t`Choose “Copy link” in SharePoint.`,
      required: true,
    },
  ],
}

interface SourceDialogProps {
  source?: Source
  projectId?: string | undefined
  onClose: () => void
}

export function SourceDialog({ source, projectId: initialProjectId, onClose }: SourceDialogProps) {
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const [chosenProjectId, setProjectId] = useState(source?.projectId ?? initialProjectId ?? '')
  const [kind, setKind] = useState<SourceKind>(source?.kind ?? 'website')
  const [settings, setSettings] = useState<Settings>(() => (source?.settings as Settings | undefined) ?? {})
  const [chosenConnectionId, setConnectionId] = useState(source?.connectionId ?? '')
  const [name, setName] = useState(source?.name ?? '')
  const [intervalMinutes, setInterval] = useState(source?.intervalMinutes ?? 60)
  const [isConfirmed, setConfirmed] = useState(false)
  const projectId = chosenProjectId || (projects[0]?.id ?? '')
  const { connector } = SOURCE_KINDS[kind]
  const { connections, isUnconnected, isLoading } = useConnections(source ? null : connector)
  const connectionId = connections.find(({ id }) => id === chosenConnectionId)?.id ?? connections[0]?.id
  const navigate = useNavigate()
  const filled = fillSettings(kind, settings)
  const save = useSaveRecord({
    isNew: !source,
    refresh: refreshSources,
    onClose,
    save: () => {
      if (source)
        return sourceApi.sources.update({
          id: source.id,
          ...changesOf(source, name, intervalMinutes, filled),
        })
      return sourceApi.sources.create({
        projectId,
        kind,
        settings: filled,
        ...(connector !== null && { connectionId }),
        name: name.trim() || undefined,
        intervalMinutes,
        confirmReaders: true,
      })
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, `settings.${field}`)
  const hasFieldError = FIELDS[kind].some(({ name: field }) => errorOf(field))
  return (
    <FormDialog
      size="normal"
      title={source ? t`Edit source` : t`Add source`}
      action={isUnconnected ? t`Connect` : source ? t`Save changes` : t`Add source`}
      failure={hasFieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending || isLoading}
      onSubmit={() =>
        isUnconnected && connector
          ? void navigate({ to: '/integrations', search: { connector } })
          : save.mutate(undefined)
      }
      onClose={onClose}
    >
      {!source && (
        <KindField
          kind={kind}
          onChange={(next) => {
            setKind(next)
            save.reset()
          }}
        />
      )}
      {isUnconnected && (
        <p className="text-neutral-11">
          You have no connection to this service yet. Connect it, then come back to choose what to sync.
        </p>
      )}
      {!isUnconnected && !isLoading && (
        <>
          {!source && (
            <Select
              label="Project"
              required
              value={projectId}
              onChange={(event) => setProjectId(event.target.value)}
            >
              {projects.map((project) => (
                <option key={project.id} value={project.id}>
                  {project.name}
                </option>
              ))}
            </Select>
          )}
          {!source && connections.length > 0 && (
            <Select
              label="Connection"
              required
              value={connectionId}
              onChange={(event) => setConnectionId(event.target.value)}
            >
              {connections.map(({ id, label, account }) => (
                <option key={id} value={id}>
                  {label ?? account?.name ?? account?.email ?? id}
                </option>
              ))}
            </Select>
          )}
          {FIELDS[kind].map(({ name: field, ...texts }) => (
            <TextField
              key={`${kind} ${field}`}
              {...texts}
              autoComplete="off"
              spellCheck={false}
              value={settings[field] ?? ''}
              error={errorOf(field)}
              onChange={(event) => setSettings((before) => ({ ...before, [field]: event.target.value }))}
            />
          ))}
          <div className="grid gap-16 sm:grid-cols-2">
            <TextField
              label={source ? t`Name` : t`Name (optional)`}
              required={source !== undefined}
              limit={SOURCE_LIMITS.name}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Select
              label="Sync"
              value={String(intervalMinutes)}
              onChange={(event) => setInterval(Number(event.target.value))}
            >
              {intervalChoices(intervalMinutes).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {intervalLabel(minutes)}
                </option>
              ))}
            </Select>
          </div>
          {!source && (
            <ReadersField projectId={projectId} isConfirmed={isConfirmed} onConfirm={setConfirmed} />
          )}
        </>
      )}
    </FormDialog>
  )
}

const intervalChoices = (current: number) => [
  ...new Set([...SOURCE_INTERVALS.map(({ minutes }) => minutes), current]),
]

/** Active ones of a connector; null needs none. */
function useConnections(connector: string | null) {
  const list = useQuery({ ...connectionsQuery, enabled: connector !== null })
  const connections =
    list.data?.items.filter(
      ({ connectorSlug, status }) => connectorSlug === connector && status === 'active',
    ) ?? []
  return {
    connections: connector === null ? [] : connections,
    isUnconnected: connector !== null && list.data !== undefined && connections.length === 0,
    isLoading: connector !== null && list.isPending,
  }
}

interface KindFieldProps {
  kind: SourceKind
  onChange: (kind: SourceKind) => void
}

const KindField = ({ kind, onChange }: KindFieldProps) => (
  <fieldset>
    <legend className="pb-4 font-medium text-13">Kind</legend>
    <div className="grid grid-cols-2 gap-8">
      {SOURCE_KIND_NAMES.map((each) => {
        const { label, connector } = SOURCE_KINDS[each]
        return (
          <label
            key={each}
            className="flex min-h-32 cursor-pointer items-center gap-8 rounded-control border border-neutral-7 bg-card px-8 py-4 text-13 hover:border-neutral-8 has-[:checked]:border-selection has-[:checked]:bg-selection-wash has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-selection"
          >
            <input
              type="radio"
              name="kind"
              value={each}
              checked={each === kind}
              data-autofocus={each === kind || undefined}
              className="sr-only"
              onChange={() => onChange(each)}
            />
            <Mark slug={connector ?? 'http'} name={label} size="small" />
            <span className="min-w-0">{label}</span>
          </label>
        )
      })}
    </div>
  </fieldset>
)

interface ReadersFieldProps {
  projectId: string
  isConfirmed: boolean
  onConfirm: (isConfirmed: boolean) => void
}

/** The service's own permissions don't apply here, so the form says who reads it. */
function ReadersField({ projectId, isConfirmed, onConfirm }: ReadersFieldProps) {
  const readers = useQuery(readersQuery(projectId)).data?.items ?? []
  return (
    <fieldset className="flex flex-col gap-8">
      <legend className="mb-4 font-medium">Who will be able to read it</legend>
      <ul className="list-disc pl-16 text-neutral-11">
        {readers.map((reader) => (
          <li key={`${reader.kind} ${reader.name}`}>{readerLabel(reader)}</li>
        ))}
      </ul>
      <label className="flex items-start gap-8">
        <input
          type="checkbox"
          required
          checked={isConfirmed}
          onChange={(event) => onConfirm(event.target.checked)}
        />
        <span>They may read everything this source syncs, whoever can read the original.</span>
      </label>
    </fieldset>
  )
}

/** Empty fields are absent. */
const fillSettings = (kind: SourceKind, settings: Settings): Record<string, unknown> => {
  const known = FIELDS[kind].flatMap(({ name }) => {
    const value = settings[name]
    const text = typeof value === 'string' ? value.trim() : value
    return text ? [[name, text] as const] : []
  })
  const others = Object.entries(settings).filter(
    ([name]) => !FIELDS[kind].some((field) => field.name === name),
  )
  const filled = Object.fromEntries<unknown>([...known, ...others])
  return kind === 'dropbox' ? { path: '', ...filled } : filled
}

/** Unchanged settings aren't sent: they would transfer the source to the current user. */
function changesOf(source: Source, name: string, intervalMinutes: number, settings: Record<string, unknown>) {
  const isSame = JSON.stringify(settings) === JSON.stringify(source.settings)
  return { name: name.trim(), intervalMinutes, ...(!isSame && { settings }) }
}
