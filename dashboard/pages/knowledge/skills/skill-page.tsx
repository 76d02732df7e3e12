import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Copy, Download, Ellipsis, History, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Skill, skillApi, skillQuery } from '../../../api/skills.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { FileEditor } from './file-editor.tsx'
import { SkillFiles } from './skill-files.tsx'
import { SkillForm } from './skill-form.tsx'
import { SkillVersionsPanel } from './skill-versions-panel.tsx'

const route = getRouteApi('/app/skills/$id')

export function SkillPage() {
  const { id } = route.useParams()
  const skill = useQuery(skillQuery(id))
  if (skill.data) return <LoadedSkill key={id} skill={skill.data} />
  return (
    <Page title="Skill" breadcrumb={<Breadcrumb to="/skills">Skills</Breadcrumb>}>
      {skill.isPending && <SkeletonRows rows={5} />}
      {skill.error && (
        <RecordFailure
          error={skill.error}
          onRetry={() => skill.refetch()}
          title="Skill not found"
          to="/skills"
          action="All skills"
        />
      )}
    </Page>
  )
}

function LoadedSkill({ skill }: { skill: Skill }) {
  const { id, name, version, agents } = skill
  const { file, panel } = route.useSearch()
  const navigate = useNavigate()
  const canEdit = useCanEditAgents() === true
  const [isDeleting, setDeleting] = useState(false)
  const show = (search: { file?: string; panel?: string }) => void navigate({ to: '.', search })
  const openFile = skill.files.find(({ path }) => path === file)
  return (
    <Page
      title={name}
      breadcrumb={<Breadcrumb to="/skills">Skills</Breadcrumb>}
      action={
        <span className="flex items-center gap-8">
          <Button
            aria-pressed={panel === 'versions'}
            onClick={() => show({ file, panel: panel === 'versions' ? undefined : 'versions' })}
          >
            <History aria-hidden className="icon sm:hidden" />
            <span className="max-sm:sr-only">Versions</span>
            <span className="text-neutral-11 tabular-nums">{version}</span>
          </Button>
          <SkillMenu skill={skill} onDelete={canEdit ? () => setDeleting(true) : undefined} />
        </span>
      }
      panel={
        panel === 'versions' && (
          <SkillVersionsPanel skill={skill} canEdit={canEdit} onClose={() => show({ file })} />
        )
      }
    >
      <p className="border-neutral-6 border-b px-16 py-8 text-13 text-neutral-11 md:px-24">
        {agents.length > 0 && t`Agents with this skill: `}
        {agents.length === 0 && (
          <>
            No agent uses this skill yet. Add it in an{' '}
            <Link to="/agents" className="underline hover:text-neutral-12">
              agent
            </Link>
            ’s settings.
          </>
        )}
        {agents.map((agent, index) => (
          <span key={agent.id}>
            {index > 0 && ', '}
            <Link to="/agents/$id" params={{ id: agent.id }} className="underline hover:text-neutral-12">
              <Name>{agent.name}</Name>
            </Link>
          </span>
        ))}
      </p>
      <SkillFiles
        skill={skill}
        openPath={openFile?.path}
        canEdit={canEdit}
        onOpen={(path) => show({ file: path, panel })}
      />
      {openFile ? (
        <FileEditor
          key={`${version} ${openFile.path}`}
          skill={skill}
          file={openFile}
          canEdit={canEdit}
          onOpen={(path) => show({ file: path, panel })}
        />
      ) : (
        <SkillForm key={version} skill={skill} canEdit={canEdit} />
      )}
      {isDeleting && (
        <ConfirmDialog
          title={withNames`Delete ${name}`}
          phrase={name}
          action="Delete skill"
          success={withNames`Deleted ${name}`}
          invalidates={[['skills'], ['agents']]}
          mutate={() => skillApi.skills.remove({ id })}
          onSuccess={() => navigate({ to: '/skills' })}
          onClose={() => setDeleting(false)}
        >
          <p>
            This deletes the skill with its files and versions. This can’t be undone. Export it first if you
            need a copy.
          </p>
          {agents.length > 0 && (
            <p>These agents lose the skill: {agents.map((agent) => agent.name).join(', ')}.</p>
          )}
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** `onDelete` is undefined for users who can't change skills. */
function SkillMenu({ skill: { id, name }, onDelete }: { skill: Skill; onDelete?: () => void }) {
  const trigger = (
    <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuAction
        icon={Download}
        label="Export as zip"
        onSelect={() => location.assign(`/api/v1/skills/${id}/export`)}
      />
      <MenuAction icon={Copy} label="Copy skill ID" onSelect={() => void copyWithToast(id, t`skill ID`)} />
      {onDelete && <MenuAction icon={Trash2} label="Delete…" onSelect={onDelete} />}
    </Menu>
  )
}
