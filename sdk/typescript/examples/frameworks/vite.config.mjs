// Builds the three pages into ../built, from where the example's server serves them.
import { svelte } from '@sveltejs/vite-plugin-svelte'

export default {
  base: '/built/',
  plugins: [svelte({ configFile: false })],
  resolve: { alias: { vue: 'vue/dist/vue.esm-bundler.js' } }, // the one that compiles templates in the page
  define: {
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: {
    outDir: '../built',
    emptyOutDir: true,
    rolldownOptions: { input: ['react.html', 'vue.html', 'svelte.html'] },
  },
}
