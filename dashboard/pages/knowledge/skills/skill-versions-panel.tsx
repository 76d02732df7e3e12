import { useMutation, useQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import {
  refreshSkills,
  type Skill,
  type SkillVersion,
  skillApi,
  skillVersionsQuery,
} from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { Diff } from '../../../components/diff/diff.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

const CHANGES: Record<SkillVersion['change'], string> = {
  created: t`Created`,
  updated: t`Changed`,
  imported: t`Imported`,
  restored: t`Restored`,
}

interface VersionsProps {
  skill: Skill
  canEdit: boolean
  onClose: () => void
}

export function SkillVersionsPanel({ skill, canEdit, onClose }: VersionsProps) {
  const versions = useQuery(skillVersionsQuery(skill.id))
  const items = versions.data?.items ?? []
  const restore = useMutation({
    mutationFn: (version: number) => skillApi.skills.restore({ id: skill.id, version }),
    onSuccess: async (_skill, version) => {
      await refreshSkills()
      toast(t`Restored version ${version}`)
    },
    onError: toastFailure,
  })
  return (
    <Panel title="Versions" onClose={onClose}>
      {versions.error && <Failure error={versions.error} onRetry={() => versions.refetch()} />}
      {items.map((version, index) => (
        <PanelSection key={version.version}>
          <div className="mb-8 flex flex-wrap items-center gap-8 text-13">
            <span>
              {version.version}. {CHANGES[version.change]} by {version.by?.name ?? t`a former member`}{' '}
              <span className="text-neutral-11">
                <Time at={version.createdAt} />
              </span>
            </span>
            {canEdit && version.version !== skill.version && (
              <Button
                size="small"
                className="ml-auto"
                busy={restore.isPending}
                onClick={() => restore.mutate(version.version)}
              >
                Restore
              </Button>
            )}
          </div>
          {items[index + 1] && <Diff before={textOf(items[index + 1]!)} after={textOf(version)} />}
        </PanelSection>
      ))}
    </Panel>
  )
}

const textOf = ({ name, description, instructions, files }: SkillVersion) =>
  [
    name,
    description,
    '',
    instructions.trimEnd(),
    '',
    ...files.map(({ path, size }) => t`${path} (${size} bytes)`),
  ].join('\n')
