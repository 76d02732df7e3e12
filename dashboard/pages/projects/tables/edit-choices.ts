import type { TableColumn } from '../../../api/tables.ts'

type Choice = NonNullable<TableColumn['choices']>[number]

/** Choices keep their ids and colors, also if lines were edited: as many as were removed are new names of those. */
export function editChoices(choices: readonly Choice[], names: readonly string[]) {
  const removed = choices.filter(({ name }) => !names.includes(name))
  const added = names.filter((name) => !choices.some((choice) => choice.name === name))
  const renamed = removed.length === added.length ? removed : []
  return names.map((name) => {
    const known = choices.find((choice) => choice.name === name) ?? renamed[added.indexOf(name)]
    return { ...known, name }
  })
}
