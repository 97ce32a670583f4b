import { type Theme, useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import RuleTable from "../../components/RuleTable.vue";
import StudyTable from "../../components/StudyTable.vue";
import VmLayout from "../../components/VmLayout.vue";
import "./style.css";
import { defineComponent, h, nextTick, onMounted, watch } from "vue";
import Finding from "../../components/HomeFinding.vue";
import RuleLinks from "../../components/RuleLinks.vue";
import { mendMarkup } from "./mend-markup.ts";

const Layout = defineComponent(() => {
  const route = useRoute();
  const mend = () => nextTick(() => mendMarkup(document));
  onMounted(mend);
  onMounted(() => addEventListener("resize", mend));
  watch(() => route.data, mend, { flush: "post" });
  return () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(Finding), "doc-before": () => h(RuleLinks) });
});

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("VmLayout", VmLayout);
    app.component("RuleTable", RuleTable);
    app.component("StudyTable", StudyTable);
  },
} satisfies Theme;
