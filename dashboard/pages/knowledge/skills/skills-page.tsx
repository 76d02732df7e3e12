import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { GraduationCap, Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { t } from '../../../../contract/text.ts'
import { refreshSkills, type SkillSummary, skillApi, skillsQuery } from '../../../api/skills.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { Empty } from '../../../components/empty.tsx'
import { SkillFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { FileInput } from '../../../components/forms/file-input.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { TITLE_LINK, TitleCell } from '../../../components/table/title-cell.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { ImportDialog } from './import-dialog.tsx'

const route = getRouteApi('/app/skills/')

export function SkillsPage() {
  const { q } = route.useSearch()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const list = useInfiniteQuery({ ...skillsQuery(q?.trim() || undefined), placeholderData: keepPreviousData })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const canEdit = useCanEditAgents() === true
  const [isCreating, setCreating] = useState(false)
  const [archive, setArchive] = useState<File>()
  usePageKeys([
    { label: t`New skill`, keys: 'c', icon: Plus, unlisted: true, run: () => canEdit && setCreating(true) },
  ])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page
      title="Skills"
      tabs={<SectionTabs of="agents" />}
      count={items.length > 0 && !list.hasNextPage ? items.length : undefined}
      filter={{ value: typed, onChange: setTyped, label: t`Search skills` }}
      action={
        canEdit && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New skill
          </Button>
        )
      }
    >
      {canEdit && <ImportArea onFile={setArchive} />}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && q && (
        <NoMatches title={withNames`No skills match “${q}”`} onClear={() => setTyped('')}>
          Searches names and descriptions.
        </NoMatches>
      )}
      {isEmpty && !q && (
        <Empty
          icon={GraduationCap}
          title="No skills yet"
          action={
            canEdit && (
              <Button look="primary" onClick={() => setCreating(true)}>
                New skill
              </Button>
            )
          }
        >
          A skill holds instructions and files for one type of task, such as release notes. Agents see their
          skills’ names and descriptions, and read a skill when a task needs it. Write one here or import a
          zip file in the Agent Skills format.
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Skills"
            columns={skillColumns}
            rows={items}
            rowKey={(skill) => skill.id}
            version={(skill) => skill.updatedAt}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {isCreating && <NewSkillDialog onClose={() => setCreating(false)} />}
      {archive && <ImportDialog key={archive.name} file={archive} onClose={() => setArchive(undefined)} />}
    </Page>
  )
}

const skillColumns: Column<SkillSummary>[] = [
  { header: t`Name`, wide: true, cell: (skill) => <NameCell skill={skill} /> },
  { header: t`Files`, right: true, visibleFrom: 'wide', cell: ({ fileCount }) => fileCount },
  { header: t`Agents`, right: true, visibleFrom: 'medium', cell: ({ agentCount }) => agentCount },
  timeColumn(t`Changed`, ({ updatedAt }) => updatedAt, { visibleFrom: 'medium' }),
]

const NameCell = ({ skill: { id, name, description } }: { skill: SkillSummary }) => (
  <TitleCell face={<SkillFace name={name} />} note={description}>
    <Link to="/skills/$id" params={{ id }} data-row-link={id} title={name} className={TITLE_LINK}>
      <Name>{name}</Name>
    </Link>
  </TitleCell>
)

function ImportArea({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard.
    <div
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) onFile(file)
      }}
      className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 text-13 text-neutral-11 data-over:bg-selection-wash md:px-24"
    >
      <span>Drop a zip file with a skill here, or</span>
      <Button size="small" onClick={() => input.current?.click()}>
        Import…
      </Button>
      <FileInput
        ref={input}
        accept=".zip,application/zip"
        label="Zip file with a skill"
        onFiles={([file]) => onFile(file!)}
      />
    </div>
  )
}

function NewSkillDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const navigate = useNavigate()
  const { form, errorOf } = useCreateDialog({
    create: () => skillApi.skills.create({ name, description }),
    onCreated: async ({ id }) => {
      await refreshSkills()
      onClose()
      await navigate({ to: '/skills/$id', params: { id } })
    },
    onClose,
  })
  return (
    <FormDialog title="New skill" action="Create skill" {...form}>
      <TextField
        label="Name"
        hint="Lowercase letters, digits and hyphens."
        required
        autoComplete="off"
        data-autofocus
        placeholder="release-notes"
        limit={SKILL_LIMITS.name}
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        hint="What the skill does and when to use it. Agents use this to choose skills."
        required
        rows={3}
        limit={SKILL_LIMITS.description}
        value={description}
        error={errorOf('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  )
}
