import svelte from 'eslint-plugin-svelte'
import ts from 'typescript-eslint'

import svelteConfig from './svelte.config.js'

export default ts.config(
  { ignores: ['node_modules'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig, extraFileExtensions: ['.svelte'] } },
  },
  {
    rules: {
      // Our own router has no base path to resolve.
      'svelte/no-navigation-without-resolve': 'off',
      // Text from people is shown as text; what must be HTML has one file that makes it (markdown).
      'svelte/no-at-html-tags': 'error',
      // Sets and maps that nothing shows need not be watched.
      'svelte/prefer-svelte-reactivity': 'off',
      // An ignored warning has its reason beside it, which this rule reads as further names.
      'svelte/no-unused-svelte-ignore': 'off',
      'max-lines': ['error', 300],
    },
  },
)
