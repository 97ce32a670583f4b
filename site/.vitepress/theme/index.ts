import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import RuleTable from "../../components/RuleTable.vue";
import StudyTable from "../../components/StudyTable.vue";
import Layout from "../../components/VmLayout.vue";
import "./style.css";
import { h } from "vue";
import Finding from "../../components/HomeFinding.vue";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Finding) }),
  enhanceApp({ app }) {
    app.component("VmLayout", Layout);
    app.component("RuleTable", RuleTable);
    app.component("StudyTable", StudyTable);
  },
} satisfies Theme;
