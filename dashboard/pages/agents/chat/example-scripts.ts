const json = (value: unknown) => JSON.stringify(value)

const note = (title: string, content: string, color: string) => ({ type: 'note', title, content, color })

const PLAN = [
  '# Plan',
  '',
  '1. Collect what is known',
  '2. Agree on the goal',
  '3. Do the first step, and look at the result',
].join('\n')

/** Scripts for the test model `test/script`. `---` ends one model call. */
export const SCRIPTS = {
  notes: [
    'say I write three notes on the canvas.',
    `call edit_canvas ${json({
      create: [
        note('Goal', 'What is better when this project is done?', 'teal'),
        note('Risk', 'What could stop it?', 'red'),
        note('Next step', 'What can be done today?', 'blue'),
      ],
    })}`,
    '---',
    'say The canvas has three more notes: a **goal**, a **risk** and a **next step**. Open the project to see them.',
  ].join('\n'),
  file: [
    'say I write the plan to a file.',
    `call write_file ${json({ name: 'plan.md', text: PLAN })}`,
    '---',
    `call read_file ${json({ file: 'plan.md' })}`,
    '---',
    'say The file **plan.md** is in the folder of the project. It says:',
    'say',
    ...PLAN.split('\n').map((line) => `say ${line}`),
  ].join('\n'),
  question: [
    `call ask_person ${json({ question: 'What is this project for?', choices: ['Research', 'A product', 'Something else'] })}`,
    '---',
    'say Thank you. This is your answer:',
    'say {{last}}',
  ].join('\n'),
}
