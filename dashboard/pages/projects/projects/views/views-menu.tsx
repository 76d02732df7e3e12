import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, BookmarkPlus, Pencil, Save, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../components/button.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Switch } from '../../../../components/forms/switch.tsx'
import { Menu, MenuAction, MenuItem, MenuLabel, MenuSeparator } from '../../../../components/menu.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import type { ProjectsSearch } from '../projects-search.ts'
import {
  isChanged,
  type ProjectView,
  refreshViews,
  toProjectsSearch,
  toViewSettings,
  type ViewSettings,
  viewsQuery,
} from './view-search.ts'

export function ViewsMenu({ search }: { search: ProjectsSearch }) {
  const activeId = useSession().workspace?.id
  const navigate = useNavigate()
  const { data } = useQuery(viewsQuery)
  const [saving, setSaving] = useState<ProjectView | 'new'>()
  const views = data?.items ?? []
  const current = views.find(({ id }) => id === search.view)
  const changed = current && isChanged(current.settings, search, activeId)
  const open = ({ id, settings }: ProjectView) =>
    void navigate({ to: '/projects', search: { ...toProjectsSearch(settings, activeId), view: id } })
  const leave = ({ id }: ProjectView) =>
    void navigate({
      to: '.',
      search: (previous) => (previous.view === id ? { ...previous, view: undefined } : previous),
    })
  const group = (label: string, items: ProjectView[]) =>
    items.length > 0 && (
      <>
        <MenuLabel>{label}</MenuLabel>
        {items.map((view) => (
          <MenuItem key={view.id} onSelect={() => open(view)}>
            {view.shared ? (
              <Users aria-hidden className="icon text-neutral-11" />
            ) : (
              <Bookmark aria-hidden className="icon text-neutral-11" />
            )}
            <span className="min-w-0 flex-1 truncate">
              <Name>{view.name}</Name>
            </span>
            {view.id === current?.id && <span className="text-12 text-neutral-11">Current</span>}
          </MenuItem>
        ))}
        <MenuSeparator />
      </>
    )
  return (
    <>
      <Menu
        trigger={
          <Button size="small" aria-haspopup="menu">
            <Bookmark aria-hidden className={`icon ${current ? 'fill-current' : ''}`} />
            <span className="max-w-status truncate">
              {current ? <Name>{current.name}</Name> : t`Views`}
              {changed && <span aria-hidden> •</span>}
              {changed && <span className="sr-only"> (changed)</span>}
            </span>
          </Button>
        }
      >
        {group(
          t`My views`,
          views.filter(({ shared }) => !shared),
        )}
        {group(
          t`Shared views`,
          views.filter(({ shared }) => shared),
        )}
        {current?.canEdit && (
          <>
            {changed && (
              <MenuAction
                icon={Save}
                label="Update this view"
                onSelect={() => void update(current, toViewSettings(search, activeId))}
              />
            )}
            <MenuAction icon={Pencil} label="Rename or share…" onSelect={() => setSaving(current)} />
            <MenuAction
              icon={Trash2}
              label="Delete this view"
              onSelect={() => void remove(current, () => leave(current))}
            />
            <MenuSeparator />
          </>
        )}
        <MenuAction icon={BookmarkPlus} label="Save as new view…" onSelect={() => setSaving('new')} />
      </Menu>
      {saving && (
        <ViewDialog
          view={saving === 'new' ? undefined : saving}
          settings={toViewSettings(search, activeId)}
          onCreated={open}
          onClose={() => setSaving(undefined)}
        />
      )}
    </>
  )
}

async function update({ id, name, settings: before }: ProjectView, settings: ProjectView['settings']) {
  if (!(await attempt(() => projectsApi.projectViews.update({ id, settings })))) return
  toast(withNames`Updated “${name}”`, {
    label: t`Undo`,
    run: () => void attempt(() => projectsApi.projectViews.update({ id, settings: before })),
  })
}

async function remove({ id, name, shared, settings }: ProjectView, onRemoved: () => void) {
  if (!(await attempt(() => projectsApi.projectViews.remove({ id })))) return
  onRemoved()
  toast(withNames`Deleted the view “${name}”`, {
    label: t`Undo`,
    run: () => void attempt(() => projectsApi.projectViews.create({ name, shared, settings })),
  })
}

/** Shows a failure as a toast. Returns whether the action succeeded. */
async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  const isDone = await action().then(
    () => true,
    (error: unknown) => {
      toastFailure(error)
      return false
    },
  )
  await refreshViews()
  return isDone
}

interface ViewDialogProps {
  /** Undefined for a new view. */
  view: ProjectView | undefined
  /** For a new view. */
  settings: ViewSettings
  onCreated: (view: ProjectView) => void
  onClose: () => void
}

function ViewDialog({ view, settings, onCreated, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const save = useMutation({
    mutationFn: () =>
      view
        ? projectsApi.projectViews.update({ id: view.id, name, shared })
        : projectsApi.projectViews.create({ name, shared, settings }),
    onSuccess: async (saved) => {
      await refreshViews()
      toast(withNames`Saved the view “${saved.name}”`)
      onClose()
      if (!view) onCreated(saved)
    },
  })
  return (
    <FormDialog
      title={view ? t`Rename or share view` : t`Save view`}
      lead={view ? undefined : t`Saves the list’s filters, sort order and layout.`}
      action="Save view"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        limit={80}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Switch
        label="Share with the organization"
        description="All members can open the view. Each sees only the projects they can access."
        checked={shared}
        onChange={setShared}
      />
    </FormDialog>
  )
}
